package dev.grapnel.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.message.RelayMessage;
import dev.grapnel.store.StoreSamples;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/// The first table of the relay's specification, over the wire: each limit is reached, and passed by one. What
/// NIP-11 publishes is what is tried (relay test 149).
@TestInstance(Lifecycle.PER_CLASS)
final class LimitsTest {
    private static final long NOW = 1_700_000_000;
    private static final String INVALID = "invalid:";

    private RelayUnderTest relay;
    private String document;

    @BeforeAll
    void start() throws IOException {
        relay = RelayUnderTest.startAt(
                InstantSource.fixed(Instant.ofEpochSecond(NOW)),
                "MAX_MESSAGE_LENGTH",
                "20000",
                "MAX_EVENT_BYTES",
                "4400",
                "MAX_EVENT_TAGS",
                "10",
                "MAX_TAG_VALUE_BYTES",
                "50",
                "MAX_CONTENT_LENGTH",
                "1000",
                "MAX_JSON_DEPTH",
                "8",
                "MAX_SUBSCRIPTIONS",
                "3",
                "MAX_SUBID_LENGTH",
                "10",
                "MAX_FILTERS",
                "4",
                "MAX_FILTER_VALUES",
                "20",
                "MAX_FILTER_BYTES",
                "5000",
                "MAX_TAG_CONDITIONS",
                "2",
                "MAX_LIMIT",
                "7",
                "DEFAULT_LIMIT",
                "5",
                "MAX_COUNT",
                "9",
                "NEG_MAX_ITEMS",
                "9",
                "CREATED_AT_UPPER_LIMIT",
                "60",
                "CREATED_AT_LOWER_LIMIT",
                "10000",
                "EPHEMERAL_MAX_AGE",
                "30",
                "AUTH_ATTEMPTS",
                "3");
        try (var client = WireClient.request(
                relay.port(),
                "GET / HTTP/1.1\r\nHost: localhost\r\nAccept: application/nostr+json\r\nConnection: close\r\n\r\n")) {
            document = client.body();
        }
    }

    @AfterAll
    void stop() {
        relay.close();
    }

    /// What NIP-11 says.
    private int published(String name) {
        var matcher = Pattern.compile("\"" + name + "\":(\\d+)").matcher(document);
        assertTrue(matcher.find(), document);
        return Integer.parseInt(matcher.group(1));
    }

    private static Event event(int kind, long createdAt, List<List<String>> tags, String content) {
        return StoreSamples.event(1, kind, createdAt, tags, content);
    }

    private void assertAccepted(Event event) throws IOException {
        try (var client = relay.connect()) {
            client.publishOk(event);
        }
    }

    private void assertRefused(Event event) throws IOException {
        try (var client = relay.connect()) {
            var ok = client.publish(event);
            assertFalse(ok.accepted());
            assertTrue(ok.message().startsWith(INVALID), ok.message());
        }
    }

    // ---- events

    @Test
    void contentLengthIsInCharacters() throws Exception {
        int most = published("max_content_length");
        assertEquals(1_000, most);
        assertAccepted(event(1, NOW, List.of(), "😀".repeat(most)));
        assertRefused(event(1, NOW, List.of(), "a".repeat(most + 1)));
    }

    @Test
    void tagsAreCounted() throws Exception {
        int most = published("max_event_tags");
        assertEquals(10, most);
        var tags = IntStream.range(0, most + 1)
                .mapToObj(i -> List.of("t", "v" + i))
                .toList();
        assertAccepted(event(1, NOW, tags.subList(0, most), "ten"));
        assertRefused(event(1, NOW, tags, "eleven"));
    }

    @Test
    void tagValuesAreMeasuredInBytes() throws Exception {
        assertAccepted(event(1, NOW, List.of(List.of("t", "é".repeat(25))), ""));
        assertRefused(event(1, NOW, List.of(List.of("t", "é".repeat(25) + "x")), ""));
    }

    @Test
    void eventsAreMeasuredInBytesOfTheirNormalForm() throws Exception {
        var content = "😀".repeat(980);
        var tags = List.of(List.of("padding", "p".repeat(50)), List.of("padding", "q".repeat(50)));
        int missing = 4_400 - event(1, NOW, tags, content).json().length();
        var exact = event(1, NOW, tags, content + "a".repeat(missing));
        assertEquals(4_400, exact.json().length());
        assertAccepted(exact);
        assertRefused(event(1, NOW, tags, content + "a".repeat(missing + 1)));
    }

    @Test
    void datesAreBounded() throws Exception {
        int upper = published("created_at_upper_limit");
        int lower = published("created_at_lower_limit");
        assertEquals(60, upper);
        assertEquals(10_000, lower);
        assertAccepted(event(1, NOW + upper, List.of(), "ahead"));
        assertRefused(event(1, NOW + upper + 1, List.of(), "too far ahead"));
        assertAccepted(event(1, NOW - lower, List.of(), "behind"));
        assertRefused(event(1, NOW - lower - 1, List.of(), "too far behind"));
        assertAccepted(event(20_001, NOW - 30, List.of(), "fresh"));
        assertRefused(event(20_001, NOW - 31, List.of(), "stale"));
    }

    @Test
    void workIsMeasuredAsPublished() throws Exception {
        int bits = 6;
        try (var strict = RelayUnderTest.start("MIN_POW_DIFFICULTY", Integer.toString(bits));
                var client = strict.connect()) {
            client.publishOk(mined(bits));
            var ok = client.publish(mined(bits - 1));
            assertFalse(ok.accepted());
            assertTrue(ok.message().startsWith("pow:"), ok.message());
        }
    }

    /// An event with just so much work.
    private static Event mined(int bits) {
        long now = Instant.now().getEpochSecond();
        for (int nonce = 0; ; nonce++) {
            var event = event(1, now, List.of(List.of("nonce", "" + nonce, "" + bits)), "");
            if (Long.numberOfLeadingZeros(event.id().a()) == bits) {
                return event;
            }
        }
    }

    // ---- messages

    @Test
    void messagesAreMeasured() throws Exception {
        int most = published("max_message_length");
        var question = "[\"REQ\",\"s\",{\"limit\":0}]";
        try (var client = relay.connect()) {
            assertEquals(
                    "[\"CLOSED\",\"s\",\"rate-limited: active subscriptions exceed max size 5000 bytes\"]",
                    client.ask(question + " ".repeat(most - question.length())));
            client.send(question + " ".repeat(most - question.length() + 1));
            assertEquals(1009, client.wire().receiveClose().closeCode());
        }
    }

    @Test
    void nestingIsBounded() throws Exception {
        try (var client = relay.connect()) {
            var deep = "[\"CLOSE\",\"s\"," + "[".repeat(7) + "]".repeat(7) + "]";
            client.send(deep);
            client.expectNothing();
            var deeper = "[\"CLOSE\",\"s\"," + "[".repeat(8) + "]".repeat(8) + "]";
            assertTrue(client.ask(deeper).startsWith("[\"NOTICE\",\"invalid:"));
        }
    }

    @Test
    void subscriptionIdsAreMeasuredInCharacters() throws Exception {
        int most = published("max_subid_length");
        assertEquals(10, most);
        try (var client = relay.connect()) {
            var id = "😀".repeat(most);
            assertEquals("[\"EOSE\",\"" + id + "\"]", client.ask("[\"REQ\",\"" + id + "\",{\"limit\":0}]"));
            var longer = "x".repeat(most + 1);
            assertTrue(client.ask("[\"REQ\",\"" + longer + "\",{\"limit\":0}]")
                    .startsWith("[\"CLOSED\",\"" + longer + "\",\"invalid:"));
        }
    }

    @Test
    void openSubscriptionsAreCounted() throws Exception {
        int most = published("max_subscriptions");
        assertEquals(3, most);
        try (var client = relay.connect()) {
            for (int i = 0; i < most; i++) {
                client.subscribe("s" + i, "{\"kinds\":[1],\"limit\":0}");
            }
            var refusal = "[\"CLOSED\",\"more\",\"rate-limited: too many subscriptions, close some first\"]";
            assertEquals(refusal, client.ask("[\"REQ\",\"more\",{\"limit\":0}]"));
            client.subscribe("s0", "{\"kinds\":[7],\"limit\":0}"); // in its own place
            assertEquals(refusal, client.ask("[\"REQ\",\"more\",{\"limit\":0}]"));
            client.send("[\"CLOSE\",\"s0\"]");
            client.subscribe("more", "{\"limit\":0}");
        }
    }

    @Test
    void filtersValuesAndConditionsAreCounted() throws Exception {
        try (var client = relay.connect()) {
            client.subscribe("s", "{\"limit\":0}", "{\"limit\":0}", "{\"limit\":0}", "{\"limit\":0}");
            assertEquals(
                    "[\"CLOSED\",\"s\",\"invalid: more than the max filter count 4\"]",
                    client.ask("[\"REQ\",\"s\",{},{},{},{},{}]"));
            client.subscribe(
                    "s",
                    "{\"kinds\":[" + numbers(12) + "],\"limit\":0}",
                    "{\"kinds\":[" + numbers(8) + "],\"limit\":0}");
            assertEquals(
                    "[\"CLOSED\",\"s\",\"invalid: more than the max values 20\"]",
                    client.ask("[\"REQ\",\"s\",{\"kinds\":[" + numbers(12) + "]},{\"kinds\":[" + numbers(9) + "]}]"));
            client.subscribe("s", "{\"#t\":[\"x\"],\"#d\":[\"y\"],\"limit\":0}");
            assertEquals(
                    "[\"CLOSED\",\"s\",\"invalid: more than 2 tag conditions in a filter\"]",
                    client.ask("[\"REQ\",\"s\",{\"#t\":[\"x\"],\"#d\":[\"y\"],\"#r\":[\"z\"]}]"));
            assertEquals(
                    "[\"CLOSED\",\"c\",\"invalid: more than the max filter count 4\"]",
                    client.ask("[\"COUNT\",\"c\",{},{},{},{},{}]"));
        }
        Gauges.awaitNothing(relay);
    }

    private static String numbers(int count) {
        return IntStream.rangeClosed(1, count).mapToObj(Integer::toString).collect(Collectors.joining(","));
    }

    @Test
    void requestsOfOneConnectionAreMeasuredTogether() throws Exception {
        var refusal = "[\"CLOSED\",\"c\",\"rate-limited: active subscriptions exceed max size 5000 bytes\"]";
        try (var client = relay.connect()) {
            assertEquals("[\"EOSE\",\"a\"]", client.ask(padded("a", 2_500)));
            assertEquals("[\"EOSE\",\"b\"]", client.ask(padded("b", 2_500)));
            assertEquals(refusal, client.ask(padded("c", 26)));
            assertEquals("[\"EOSE\",\"b\"]", client.ask(padded("b", 2_474)));
            assertEquals("[\"EOSE\",\"c\"]", client.ask(padded("c", 26)));
            assertEquals(refusal, client.ask(padded("c", 27)));
            client.send("[\"CLOSE\",\"a\"]");
            assertEquals("[\"EOSE\",\"c\"]", client.ask(padded("c", 2_526)));
            assertEquals(refusal, client.ask(padded("c", 2_527)));
            assertEquals(1, relay.metric(Gauges.SUBSCRIPTIONS));
        }
        Gauges.awaitNothing(relay);
    }

    /// A request of just this length.
    private static String padded(String id, int length) {
        var question = "[\"REQ\",\"" + id + "\",{\"limit\":0}]";
        return question + " ".repeat(length - question.length());
    }

    @Test
    void answersAreLimitedAsPublished() throws Exception {
        int most = published("max_limit");
        int usual = published("default_limit");
        assertEquals(7, most);
        assertEquals(5, usual);
        try (var client = relay.connect()) {
            for (int i = 0; i < 9; i++) {
                client.publishOk(event(1621, NOW - i, List.of(), "one of nine"));
            }
            assertEquals(usual, client.query("{\"kinds\":[1621]}").size());
            assertEquals(
                    most,
                    client.query("{\"kinds\":[1621],\"limit\":" + most + "}").size());
            assertEquals(
                    most,
                    client.query("{\"kinds\":[1621],\"limit\":" + (most + 1) + "}")
                            .size());
            assertEquals(0, client.query("{\"kinds\":[1621],\"limit\":0}").size());
            assertEquals("[\"COUNT\",\"c\",{\"count\":9}]", client.ask("[\"COUNT\",\"c\",{\"kinds\":[1621]}]"));
            assertTrue(client.ask("[\"NEG-OPEN\",\"n\",{\"kinds\":[1621]},\"6100000200\"]")
                    .startsWith("[\"NEG-MSG\","));
            client.publishOk(event(1621, NOW - 10, List.of(), "the tenth"));
            assertEquals(
                    "[\"COUNT\",\"c\",{\"count\":9,\"approximate\":true}]",
                    client.ask("[\"COUNT\",\"c\",{\"kinds\":[1621]}]"));
            assertEquals(
                    "[\"NEG-ERR\",\"n\",\"blocked: this query is too big\",9]",
                    client.ask("[\"NEG-OPEN\",\"n\",{\"kinds\":[1621]},\"6100000200\"]"));
        }
    }

    @Test
    void authenticationAttemptsAreCounted() throws Exception {
        try (var client = relay.connect()) {
            for (int i = 0; i < 3; i++) {
                assertTrue(client.ask("[\"AUTH\"," + event(22_242, NOW, List.of(), "" + i) + "]")
                        .contains(",false,\"invalid:"));
            }
            assertTrue(client.ask("[\"AUTH\"," + event(22_242, NOW, List.of(), "x") + "]")
                    .contains(",false,\"rate-limited:"));
            client.expectNothing();
        }
        try (var other = relay.connect()) {
            assertTrue(other.ask("[\"AUTH\"," + event(22_242, NOW, List.of(), "y") + "]")
                    .contains(",false,\"invalid:"));
        }
    }

    @Test
    void whoIsNotUnderstoodFiftyTimesIsClosed() throws Exception {
        try (var client = relay.connect()) {
            var broken = event(1, NOW + 100, List.of(), "refused, which does not count")
                    .toString();
            for (int i = 0; i < 50; i++) {
                assertTrue(client.ask("nonsense").startsWith("[\"NOTICE\",\"invalid:"));
                assertTrue(client.ask("[\"EVENT\"," + broken + "]").contains(",false,\"invalid:"));
                assertTrue(client.ask("[\"REQ\",\"s\"]").startsWith("[\"CLOSED\","));
            }
            client.send("nonsense");
            assertEquals(1008, client.wire().receiveClose().closeCode());
            assertTrue(client.wire().isEnd());
        }
    }

    // ---- much at once

    /// More than is kept of a connection at a time: then it is not read for a while, and nothing is lost.
    @Test
    void everythingIsAnsweredToWhoSendsMuchAtOnce() throws Exception {
        int events = 2_000;
        int questions = 500;
        try (var roomy = RelayUnderTest.start();
                var client = roomy.connect()) {
            var out = new java.io.ByteArrayOutputStream();
            var ids = new ArrayList<String>();
            for (int i = 0; i < events; i++) {
                var event = RelayUnderTest.note(i % 10, "pipelined " + i);
                ids.add(event.id().toString());
                out.writeBytes(text("[\"EVENT\"," + event + "]"));
                if (i % 4 == 0) {
                    out.writeBytes(text("[\"REQ\",\"s" + i / 4 + "\",{\"ids\":[\"" + event.id() + "\"]}]"));
                }
            }
            client.wire().write(out.toByteArray());
            var oks = new ArrayList<String>();
            var ends = new ArrayList<String>();
            var deliveries = new ArrayList<String>();
            while (oks.size() < events || ends.size() < questions || deliveries.size() < questions) {
                switch (client.message()) {
                    case RelayMessage.Ok ok -> {
                        assertTrue(ok.accepted(), ok.message());
                        oks.add(ok.eventId());
                    }
                    case RelayMessage.EndOfStored(var id, var _) -> ends.add(id.text());
                    case RelayMessage.Delivery(var id, var _) -> deliveries.add(id.text());
                    case RelayMessage other -> throw new AssertionError(other);
                }
            }
            assertEquals(ids.stream().sorted().toList(), oks.stream().sorted().toList());
            assertEquals(questions, ends.stream().distinct().count());
            assertEquals(questions, deliveries.stream().distinct().count());
        }
    }

    private static byte[] text(String message) {
        return WireClient.frame(true, 0, WireClient.TEXT, true, message.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void messageMayComeByteByByte() throws Exception {
        try (var client = relay.connect()) {
            for (byte one : text("[\"REQ\",\"slow\",{\"limit\":0}]" + " ".repeat(200))) {
                client.wire().write(one);
            }
            assertEquals("[\"EOSE\",\"slow\"]", client.receive());
        }
    }

    /// Memory for messages that never end is given back.
    @Test
    void halfAMessageIsForgottenWithItsConnection() throws Exception {
        var whole = text("[\"REQ\",\"s\"" + " ".repeat(1 << 20) + ",{}]");
        var half = java.util.Arrays.copyOf(whole, whole.length / 2);
        int least = half.length / 2;
        try (var roomy = RelayUnderTest.start()) {
            for (int i = 0; i < 10; i++) {
                try (var client = roomy.connect()) {
                    client.wire().write(half);
                    Gauges.awaitThat("bytes to arrive", () -> roomy.metric("grapnel_arrival_bytes") >= least);
                }
                Gauges.await(roomy, "grapnel_arrival_bytes", 0);
            }
        }
    }

    /// Relay test 203. An answer and a copy of the event are two small writes: with Nagle's algorithm the
    /// second would wait for a delayed acknowledgement, 40 ms each time. A busy machine is late now and then
    /// only.
    @Test
    void smallAnswersDoNotWaitForAcknowledgements() throws Exception {
        int pairs = 200;
        int late = 0;
        try (var client = relay.connect()) {
            client.subscribe("s", "{\"kinds\":[1],\"limit\":0}");
            for (int i = 0; i < pairs; i++) {
                var event = event(1, NOW, List.of(), "pair " + i);
                long start = System.nanoTime();
                client.send("[\"EVENT\"," + event + "]");
                client.message();
                client.message();
                if (System.nanoTime() - start >= 40_000_000) {
                    late++;
                }
            }
        }
        assertTrue(late < pairs / 2, late + " of " + pairs + " were late");
    }
}
