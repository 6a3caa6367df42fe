package dev.grapnel.server;

import static dev.grapnel.server.Replies.assertBegins;
import static dev.grapnel.server.Replies.assertClosed;
import static dev.grapnel.server.Replies.assertNegError;
import static dev.grapnel.server.Replies.assertNotice;
import static dev.grapnel.server.Replies.assertTaken;
import static dev.grapnel.server.Replies.publishing;
import static dev.grapnel.server.Replies.quoted;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.message.RelayMessage;
import dev.grapnel.store.StoreSamples;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Messages, good and bad, and what answers them (relay 2).
@TestInstance(Lifecycle.PER_CLASS)
final class MessageTest {
    private static final long TIME = 1_700_000_000;
    private static final String NONE = "\"kinds\":[65000]";

    private RelayUnderTest relay;
    private RelayClient client;

    @BeforeAll
    void start() {
        relay = RelayUnderTest.start();
    }

    @AfterAll
    void stop() {
        relay.close();
    }

    @BeforeEach
    void connect() throws IOException {
        client = relay.connect();
    }

    @AfterEach
    void disconnect() throws IOException {
        client.close();
    }

    private static byte[] burst(String... messages) {
        var out = new ByteArrayOutputStream();
        for (var message : messages) {
            out.writeBytes(WireClient.frame(true, 0, WireClient.TEXT, true, message.getBytes(StandardCharsets.UTF_8)));
        }
        return out.toByteArray();
    }

    // ---- malformed

    @ParameterizedTest // row 37
    @ValueSource(
            strings = {
                "hello",
                "[",
                "{}",
                "[]",
                "[1]",
                "[null]",
                "[[\"REQ\"]]",
                "\"REQ\"",
                "[\"EVENT\"]",
                "[\"EVENT\",1]",
                "[\"AUTH\",\"x\"]",
                "[\"REQ\"]",
                "[\"REQ\",5,{}]",
                "[\"COUNT\",null,{}]",
                "[\"CLOSE\"]",
                "[\"CLOSE\",1]",
                "[\"REQ\",\"s\",{}] x",
                "\ufeff[\"REQ\",\"s\",{}]",
                "[\"REQ\",\"\\ud800\",{}]",
                "[\"NEG-OPEN\"]",
                "[\"NEG-MSG\",7,\"61\"]",
                "[\"NEG-CLOSE\",\"\"]"
            })
    void answersWhatItCannotReadByOneNotice(String message) throws Exception {
        assertNotice(client, message, "invalid: ");
        client.expectNothing();
    }

    @ParameterizedTest // rows 37, 38
    @ValueSource(strings = {"[\"FOO\"]", "[\"event\",{}]", "[\"req\",\"s\",{}]", "[\"Close\",\"s\"]", "[\"\"]"})
    void knowsCommandsInCapitalsOnly(String message) throws Exception {
        assertNotice(client, message, "unsupported: ");
        client.expectNothing();
    }

    @ParameterizedTest // row 39
    @ValueSource(strings = {"", " ", "\r\n\t  "})
    void doesNotAnswerNothing(String message) throws Exception {
        client.send(message);
        client.expectNothing();
    }

    @Test // relay 2.3
    void closesAfterFiftyNoticesInAMinute() throws Exception {
        for (int i = 0; i < 50; i++) {
            assertNotice(client, "[]", "invalid: ");
        }
        assertClosed(client, "[\"REQ\",\"s\"]", "s", "invalid: ");
        client.send("[]");
        assertEquals(1008, client.wire().receiveClose().closeCode());
    }

    @Test // row 40
    void refusesAQuestionWithoutFilters() throws Exception {
        assertEquals("[\"CLOSED\",\"s\",\"invalid: at least one filter is needed\"]", client.ask("[\"REQ\",\"s\"]"));
        assertEquals("[\"CLOSED\",\"s\",\"invalid: at least one filter is needed\"]", client.ask("[\"COUNT\",\"s\"]"));
        assertClosed(client, "[\"REQ\",\"s\",[]]", "s", "invalid: ");
        assertClosed(client, "[\"REQ\",\"s\",null]", "s", "invalid: ");
    }

    @Test // row 51
    void answersBinaryByNoticeAndGoesOn() throws Exception {
        client.wire().send(WireClient.BINARY, "[]".getBytes(StandardCharsets.UTF_8));
        assertBegins("[\"NOTICE\",\"unsupported: ", client.receive());
        client.expectNothing();
    }

    @Test // relay 2.3
    void tellsClientsInTheirWordsThatNegentropyIsOff() throws Exception {
        try (var plain = RelayUnderTest.start("NEGENTROPY", "false", "COUNT", "false", "AUTH", "off");
                var other = plain.connect()) {
            for (var message : List.of(
                    "[\"NEG-OPEN\",\"n\",{},\"6100000200\"]", "[\"NEG-MSG\",\"n\",\"61\"]", "[\"NEG-CLOSE\",\"n\"]")) {
                var answer = other.ask(message);
                for (var word : List.of("bad msg", "unknown cmd", "negentropy disabled")) {
                    assertTrue(answer.startsWith("[\"NOTICE\",\"unsupported: ") && answer.contains(word), answer);
                }
            }
            assertClosed(other, "[\"COUNT\",\"c\",{}]", "c", "unsupported: ");
            var proof = Replies.proof(plain, 1, "x");
            assertEquals(
                    "[\"OK\",\"" + proof.id() + "\",false,\"unsupported: authentication is not enabled\"]",
                    other.ask("[\"AUTH\"," + proof + "]"));
        }
    }

    @Test // relay 2.3
    void readsNegentropyStrictlyAndSaysSoByNegError() throws Exception {
        for (var message : List.of(
                "[\"NEG-OPEN\",\"n\"]",
                "[\"NEG-OPEN\",\"n\",{}]",
                "[\"NEG-OPEN\",\"n\",{},null]",
                "[\"NEG-OPEN\",\"n\",{},\"6\"]",
                "[\"NEG-OPEN\",\"n\",{},\"6x\"]",
                "[\"NEG-OPEN\",\"n\",{},\"\"]",
                "[\"NEG-OPEN\",\"n\",\"" + "a".repeat(64) + "\",\"61\"]",
                "[\"NEG-OPEN\",\"n\",{\"kinds\":[-1]},\"61\"]",
                "[\"NEG-MSG\",\"n\"]",
                "[\"NEG-MSG\",\"n\",5]")) {
            assertNegError(client, message, "n", "invalid: ");
        }
        assertNegError(client, "[\"NEG-OPEN\",\"n\",{},16,\"61\"]", "n", "unsupported: ");
        assertNegError(client, "[\"NEG-OPEN\",\"n\",{\"foo\":1},\"61\"]", "n", "unsupported: ");
        client.expectNothing();
    }

    @Test // relay 2.3
    void ignoresSurplusElements() throws Exception {
        assertEquals(
                "[\"NEG-MSG\",\"n\",\"6100000200\"]", client.ask("[\"NEG-OPEN\",\"n\",{" + NONE + "},\"6100000200\"]"));
        assertEquals("[\"NEG-MSG\",\"n\",\"6100000200\"]", client.ask("[\"NEG-MSG\",\"n\",\"6100000200\",1,{}]"));
        client.send("[\"NEG-CLOSE\",\"n\",null]");
        client.send("[\"CLOSE\",\"n\",null]");
        client.expectNothing();
    }

    // ---- ids

    @Test // row 41
    void takesIdsOfOneToSixtyFourCharacters() throws Exception {
        var longest = "\uD83D\uDE80".repeat(64);
        assertEquals(
                "[\"EOSE\"," + quoted(longest) + "]", client.ask("[\"REQ\"," + quoted(longest) + ",{" + NONE + "}]"));
        var longer = "\uD83D\uDE80".repeat(65);
        for (var command : List.of("REQ", "COUNT")) {
            assertClosed(client, "[\"" + command + "\"," + quoted(longer) + ",{}]", longer, "invalid: ");
            assertClosed(client, "[\"" + command + "\",\"\",{}]", "", "invalid: ");
            var echoed = "x".repeat(1_024);
            assertClosed(client, "[\"" + command + "\"," + quoted(echoed) + ",{}]", echoed, "invalid: ");
            assertNotice(client, "[\"" + command + "\"," + quoted(echoed + "x") + ",{}]", "invalid: ");
        }
    }

    @ParameterizedTest // row 42
    @ValueSource(
            strings = {"say \"hi\"", "back\\slash", "two\nlines", "\uD83D\uDE80 \u2028", "\0\u007f", "</a>&'/", " "})
    void echoesIdsExactly(String id) throws Exception {
        var filter = "{\"authors\":[\"" + StoreSamples.author(11) + "\"]}";
        var event = StoreSamples.event(11, 1, TIME, List.of(), "echo " + id);
        var question = "[\"REQ\"," + quoted(id) + "," + filter.replace("}", ",\"limit\":0}") + "]";
        assertEquals("[\"EOSE\"," + quoted(id) + "]", client.ask(question));
        publish(event);
        assertEquals("[\"EVENT\"," + quoted(id) + "," + event + "]", client.receive());
        assertBegins(
                "[\"COUNT\"," + quoted(id) + ",{\"count\":",
                client.ask("[\"COUNT\"," + quoted(id) + "," + filter + "]"));
        assertBegins("[\"NEG-ERR\"," + quoted(id) + ",", client.ask("[\"NEG-MSG\"," + quoted(id) + ",\"61\"]"));
    }

    private void publish(Event event) throws IOException {
        try (var publisher = relay.connect()) {
            assertTaken(publisher, event);
        }
    }

    @Test // row 43
    void keepsIdsOfConnectionsApart() throws Exception {
        var filter = "{\"authors\":[\"" + StoreSamples.author(12) + "\"]}";
        var other = "{\"authors\":[\"" + StoreSamples.author(13) + "\"]}";
        try (var second = relay.connect()) {
            client.subscribe("s", filter);
            second.subscribe("s", other);
            second.send("[\"CLOSE\",\"s\"]");
            second.expectNothing();
            var event = StoreSamples.event(12, 1, TIME, List.of(), "");
            publish(event);
            assertEquals(event, client.live("s"));
            second.expectNothing();
        }
    }

    @Test // row 44
    void keepsIdsOfSubscriptionsCountsAndSessionsApart() throws Exception {
        var filter = "{\"authors\":[\"" + StoreSamples.author(14) + "\"]}";
        client.subscribe("same", filter);
        assertEquals("[\"COUNT\",\"same\",{\"count\":0}]", client.ask("[\"COUNT\",\"same\"," + filter + "]"));
        assertEquals(
                "[\"NEG-MSG\",\"same\",\"6100000200\"]",
                client.ask("[\"NEG-OPEN\",\"same\"," + filter + ",\"6100000200\"]"));
        assertClosed(client, "[\"COUNT\",\"same\",{\"foo\":1}]", "same", "unsupported: ");
        var event = StoreSamples.event(14, 1, TIME, List.of(), "");
        publish(event);
        assertEquals(event, client.live("same"));
        client.send("[\"CLOSE\",\"same\"]");
        assertEquals("[\"NEG-MSG\",\"same\",\"6100000200\"]", client.ask("[\"NEG-MSG\",\"same\",\"6100000200\"]"));
        client.subscribe("same", filter);
        client.send("[\"NEG-CLOSE\",\"same\"]");
        var second = StoreSamples.event(14, 1, TIME + 1, List.of(), "");
        publish(second);
        assertEquals(second, client.live("same"));
    }

    // ---- life

    @Test // row 45
    void answersEverythingInABurst() throws Exception {
        var event = StoreSamples.event(15, 1, TIME, List.of(), "");
        var filter = "{\"authors\":[\"" + StoreSamples.author(15) + "\"],\"limit\":0}";
        client.wire()
                .write(burst(
                        publishing(event),
                        "[\"REQ\",\"r\"," + filter + "]",
                        "[\"COUNT\",\"c\",{" + NONE + "}]",
                        "[\"NEG-OPEN\",\"n\",{" + NONE + "},\"6100000200\"]",
                        "[\"CLOSE\",\"r\"]",
                        "[\"FOO\"]",
                        "[\"REQ\",\"x\",{" + NONE + "}]"));
        var answers = new ArrayList<String>();
        for (int i = 0; i < 6; i++) {
            var answer = client.receive();
            if (answer.startsWith("[\"EVENT\"")) {
                i--; // the event may come while the subscription is open
            } else {
                answers.add(answer);
            }
        }
        assertEquals(
                Stream.of("COUNT c", "EOSE r", "EOSE x", "NEG-MSG n", "NOTICE", "OK")
                        .toList(),
                answers.stream().map(MessageTest::gist).sorted().toList());
    }

    private static String gist(String answer) {
        var words = answer.split("\"", 6);
        return List.of("OK", "NOTICE").contains(words[1]) ? words[1] : words[1] + " " + words[3];
    }

    @Test
    void answersASessionsNextMessageBehindItsFirst() throws Exception {
        for (int i = 0; i < 50; i++) {
            client.wire()
                    .write(burst("[\"NEG-OPEN\",\"n\",{" + NONE + "},\"6100000200\"]", "[\"NEG-MSG\",\"n\",\"62\"]"));
            assertEquals("[\"NEG-MSG\",\"n\",\"6100000200\"]", client.receive());
            assertEquals("[\"NEG-MSG\",\"n\",\"61\"]", client.receive());
        }
    }

    @Test // row 47
    void doesNotAnswerClose() throws Exception {
        client.send("[\"CLOSE\",\"unknown\"]");
        client.send("[\"CLOSE\"," + quoted("x".repeat(5_000)) + "]");
        client.send("[\"NEG-CLOSE\",\"unknown\"]");
        client.expectNothing();
    }

    @Test // row 48
    void sendsNothingAfterClose() throws Exception {
        var filter = "{\"authors\":[\"" + StoreSamples.author(16) + "\"]}";
        client.subscribe("closed", filter);
        client.subscribe("open", filter);
        client.send("[\"CLOSE\",\"closed\"]");
        client.expectNothing();
        var event = StoreSamples.event(16, 1, TIME, List.of(), "");
        publish(event);
        assertEquals(event, client.live("open"));
        client.expectNothing();
    }

    /// More than the buffers of a connection take, so that whoever does not read keeps a question waiting.
    private String publishMuch() throws IOException {
        var text = "x".repeat(400_000);
        try (var publisher = relay.connect()) {
            for (int i = 0; i < 60; i++) {
                publisher.publishOk(StoreSamples.event(17, 1, TIME + i, List.of(), text + i));
            }
            publisher.publishOk(StoreSamples.event(17, 7, TIME, List.of(), "new"));
        }
        return "\"authors\":[\"" + StoreSamples.author(17) + "\"]";
    }

    @Test
    void endsASessionThatDoesNotWaitForItsFirstAnswer() throws Exception {
        var author = publishMuch();
        for (int i = 0; i < 20; i++) { // as many as are answered at a time
            client.send("[\"REQ\",\"s" + i + "\",{" + author + "}]");
        }
        client.send("[\"NEG-OPEN\",\"n\",{" + NONE + "},\"6100000200\"]");
        client.send("[\"NEG-MSG\",\"n\",\"6100000200\"]");
        client.send("[\"NEG-MSG\",\"n\",\"6100000200\"]");
        var answer = client.receive();
        while (answer.startsWith("[\"EVENT\"")) {
            answer = client.receive();
        }
        assertEquals("[\"NEG-ERR\",\"n\",\"invalid: messages came before the first was answered\"]", answer);
    }

    @Test // row 49
    void replacesASubscriptionWhileItIsRead() throws Exception {
        var author = publishMuch();
        client.send("[\"REQ\",\"s\",{" + author + ",\"kinds\":[1]}]");
        client.send("[\"REQ\",\"s\",{" + author + ",\"kinds\":[7]}]");
        var kinds = new ArrayList<Integer>();
        while (client.message() instanceof RelayMessage.Delivery(var _, var event)) {
            kinds.add(event.kind());
        }
        client.expectNothing();
        assertEquals(kinds.size() - 1, kinds.indexOf(7), "the one new event comes last: " + kinds);
        assertTrue(kinds.size() < 60, kinds.size() + " events");
    }

    @Test // row 49
    void replacesAnOpenSubscriptionWithoutAWord() throws Exception {
        client.subscribe("s", "{\"authors\":[\"" + StoreSamples.author(18) + "\"]}");
        client.subscribe("s", "{\"authors\":[\"" + StoreSamples.author(19) + "\"]}");
        publish(StoreSamples.event(18, 1, TIME, List.of(), ""));
        var event = StoreSamples.event(19, 1, TIME, List.of(), "");
        publish(event);
        assertEquals(event, client.live("s"));
        client.expectNothing();
    }

    @ParameterizedTest // relay 2.5: whatever becomes of the new one
    @ValueSource(
            strings = {
                "[\"REQ\",\"s\"]",
                "[\"REQ\",\"s\",{\"foo\":1}]",
                "[\"REQ\",\"s\",{\"kinds\":[4]}]",
                "[\"R\\u0045Q\",\"s\",{\"foo\":1}]"
            })
    void endsASubscriptionEvenIfItsReplacementIsRefused(String replacement) throws Exception {
        var filter = "{\"authors\":[\"" + StoreSamples.author(20) + "\"]}";
        try (var other = relay.connect()) {
            other.subscribe("s", filter);
            other.subscribe("open", filter);
            other.send(replacement);
            var answer = other.receive();
            while (answer.startsWith("[\"AUTH\"") || answer.startsWith("[\"EVENT\"")) {
                answer = other.receive();
            }
            assertBegins("[\"CLOSED\",\"s\",\"", answer);
            var event = StoreSamples.event(20, 1, TIME, List.of(), replacement);
            publish(event);
            assertEquals(event, other.live("open"));
            other.expectNothing();
        }
    }

    @Test // row 50
    void replacesAtTheLimitOfSubscriptions() throws Exception {
        try (var small = RelayUnderTest.start("MAX_SUBSCRIPTIONS", "3");
                var other = small.connect()) {
            for (var id : List.of("a", "b", "c", "b")) {
                other.subscribe(id, "{" + NONE + "}");
            }
            assertEquals(
                    "[\"CLOSED\",\"d\",\"rate-limited: too many subscriptions, close some first\"]",
                    other.ask("[\"REQ\",\"d\",{" + NONE + "}]"));
            other.send("[\"CLOSE\",\"a\"]");
            other.subscribe("d", "{" + NONE + "}");
        }
    }

    @Test // row 52
    void refusesAllFiltersForOne() throws Exception {
        var good = "{\"authors\":[\"" + StoreSamples.author(21) + "\"]}";
        publish(StoreSamples.event(21, 1, TIME, List.of(), "stored"));
        client.subscribe("open", good.replace("}", ",\"limit\":0}"));
        assertClosed(client, "[\"REQ\",\"s\"," + good + ",{\"kinds\":[-1]}," + good + "]", "s", "invalid: ");
        var event = StoreSamples.event(21, 1, TIME, List.of(), "live");
        publish(event);
        assertEquals(event, client.live("open"));
        client.expectNothing();
    }

    @ParameterizedTest // a command means the same however it is written
    @ValueSource(strings = {"\"REQ\"", "\"R\\u0045Q\"", "\"\\u0052\\u0045\\u0051\""})
    void countsQuestionsHoweverTheyAreWritten(String command) throws Exception {
        try (var limited = RelayUnderTest.start("QUERIES_PER_SECOND_PER_IP", "1", "QUERIES_BURST_PER_IP", "5");
                var other = limited.connectFrom("203.0.113.7")) {
            var message = "[" + command + ",\"s\",{" + NONE + "}]";
            other.wire()
                    .write(burst(IntStream.range(0, 20).mapToObj(_ -> message).toArray(String[]::new)));
            var answers = new ArrayList<String>();
            for (int i = 0; i < 20; i++) {
                answers.add(other.receive());
            }
            assertTrue(
                    answers.contains("[\"CLOSED\",\"s\",\"rate-limited: slow down\"]"),
                    answers.stream().distinct().collect(Collectors.joining("\n")));
        }
    }
}
