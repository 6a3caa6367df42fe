package dev.grapnel.server;

import static dev.grapnel.server.Replies.publishing;
import static dev.grapnel.server.Replies.quoted;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.store.StoreSamples;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Texts that other programs read (relay 2.2, 2.9), letter by letter. Those about filters are with the filters,
/// that about subscriptions is with the messages.
final class RefusalTextTest {
    private static final int FILTER_BYTES = 8_388_608;

    /// A question of exactly so many bytes.
    private static String question(String id, int bytes) {
        var start = "[\"REQ\",\"" + id + "\",{\"kinds\":[65000]}";
        return start + " ".repeat(bytes - start.length() - 1) + "]";
    }

    @Test // row 199
    void boundsTheBytesOfOpenQuestions() throws Exception {
        try (var relay = RelayUnderTest.start();
                var client = relay.connect()) {
            var refused = "rate-limited: active subscriptions exceed max size 8388608 bytes";
            assertEquals("[\"EOSE\",\"a\"]", client.ask(question("a", FILTER_BYTES / 2)));
            assertEquals("[\"EOSE\",\"b\"]", client.ask(question("b", FILTER_BYTES / 2 - 100)));
            assertEquals("[\"EOSE\",\"c\"]", client.ask(question("c", 100)));
            assertEquals("[\"CLOSED\",\"d\",\"" + refused + "\"]", client.ask(question("d", 100)));
            assertEquals("[\"EOSE\",\"c\"]", client.ask(question("c", 100))); // a replacement takes no more
            assertEquals("[\"CLOSED\",\"c\",\"" + refused + "\"]", client.ask(question("c", 101)));
            assertEquals("[\"EOSE\",\"d\"]", client.ask(question("d", 100))); // what was refused is over
            client.send("[\"CLOSE\",\"b\"]");
            assertEquals("[\"EOSE\",\"e\"]", client.ask(question("e", 1_000_000)));
            try (var other = relay.connect()) {
                assertEquals("[\"EOSE\",\"a\"]", other.ask(question("a", FILTER_BYTES / 2)));
            }
        }
    }

    @Test
    void saysSlowDownToWhomIsTooFast() throws Exception {
        try (var relay = RelayUnderTest.startTimedBy(
                        () -> 0,
                        "QUERIES_PER_SECOND_PER_IP",
                        "1",
                        "QUERIES_BURST_PER_IP",
                        "1",
                        "EVENTS_PER_SECOND_PER_IP",
                        "1",
                        "EVENTS_BURST_PER_IP",
                        "1");
                var client = relay.connectFrom("203.0.113.7")) {
            var slow = ",\"rate-limited: slow down\"]";
            assertEquals("[\"EOSE\",\"r\"]", client.ask(question("r", 100)));
            assertEquals("[\"CLOSED\",\"r\"" + slow, client.ask(question("r", 100)));
            assertEquals("[\"CLOSED\",\"c\"" + slow, client.ask("[\"COUNT\",\"c\",{}]"));
            assertEquals("[\"NEG-ERR\",\"n\"" + slow, client.ask("[\"NEG-OPEN\",\"n\",{},\"61\"]"));
            var event = StoreSamples.event(1, 1, 1_700_000_000, List.of(), "");
            assertEquals("[\"OK\",\"" + event.id() + "\",true,\"\"]", client.ask(publishing(event)));
            assertEquals("[\"OK\",\"" + event.id() + "\",false" + slow, client.ask(publishing(event)));
        }
    }

    @Test
    void saysThatItIsBusyWhenFiltersFillTheMemory() throws Exception {
        var kinds = IntStream.range(0, 65_536).mapToObj(Integer::toString).collect(Collectors.joining(","));
        var filter = ",{\"kinds\":[" + kinds + "],\"since\":1,\"until\":0}]";
        long room = Runtime.getRuntime().maxMemory() / 4;
        long most = room / (64 * 65_536) + 1;
        try (var relay = RelayUnderTest.start(
                        "MAX_FILTER_VALUES", "65536", "MAX_FILTER_BYTES", "1073741824", "MAX_SUBSCRIPTIONS", "100000");
                var client = relay.connect()) {
            int count = 0;
            var answer = client.ask("[\"REQ\",\"0\"" + filter);
            while (answer.equals("[\"EOSE\",\"" + count + "\"]")) {
                assertTrue(count < most, "more than a quarter of the memory");
                count++;
                answer = client.ask("[\"REQ\",\"" + count + "\"" + filter);
            }
            assertEquals("[\"CLOSED\",\"" + count + "\",\"error: busy, try again later\"]", answer);
            client.send("[\"CLOSE\",\"0\"]");
            assertEquals("[\"EOSE\",\"again\"]", client.ask("[\"REQ\",\"again\"" + filter));
        }
    }

    @Test
    void saysGoodbye() throws Exception {
        var relay = RelayUnderTest.start();
        try (var client = relay.connect()) {
            client.subscribe("s", "{\"limit\":0}");
            client.ask("[\"NEG-OPEN\",\"n\",{},\"61\"]");
            relay.close();
            assertEquals("[\"CLOSED\",\"s\",\"error: shutting down\"]", client.receive());
            assertEquals("[\"NEG-ERR\",\"n\",\"closed: shutting down\"]", client.receive());
            assertEquals(1001, client.wire().receiveClose().closeCode());
        } finally {
            relay.close();
        }
    }

    // ---- the watch over all other texts

    @ParameterizedTest // row 201
    @ValueSource(
            strings = {
                "invalid: too many values",
                "blocked: no",
                "restricted: no",
                "invalid: a member is missing",
                "error: Too Many things",
                "unsupported filter"
            })
    void watchesEveryRefusalOfEveryRun(String text) {
        for (var beginning : List.of("[\"CLOSED\",\"s\",", "[\"NOTICE\",", "[\"NEG-ERR\",\"n\",")) {
            assertThrows(AssertionError.class, () -> WordWatch.watch(beginning + quoted(text) + "]"), beginning);
        }
        WordWatch.watch("[\"OK\",\"" + "0".repeat(64) + "\",false," + quoted(text) + "]");
        WordWatch.watch("[\"CLOSED\"," + quoted(text) + ",\"error: an id may hold any word\"]");
    }

    @Test // rows 46, 201
    void watchesTheFormOfAnswers() {
        var id = "\"" + "0".repeat(64) + "\"";
        for (var wrong : List.of(
                "[\"OK\"," + id + ",true]",
                "[\"OK\"," + id + ",false,\"\"]",
                "[\"OK\"," + id + ",true,\"\",1]",
                "[\"NOTICE\",\"error: no NEG-OPEN here\"]",
                "[\"NOTICE\",\"bad envelope\"]",
                "[\"CLOSED\",\"s\"]")) {
            assertThrows(AssertionError.class, () -> WordWatch.watch(wrong), wrong);
        }
        WordWatch.watch("[\"OK\"," + id + ",true,\"\"]");
        WordWatch.watch("[\"CLOSED\",\"s\",\"rate-limited: too many subscriptions, close some first\"]");
        WordWatch.watch("[\"NEG-ERR\",\"n\",\"blocked: this query is too big\",5]");
    }
}
