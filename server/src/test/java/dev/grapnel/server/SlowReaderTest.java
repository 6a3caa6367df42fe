package dev.grapnel.server;

import static dev.grapnel.server.Gauges.CONNECTIONS;
import static dev.grapnel.server.Gauges.SUBSCRIPTIONS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.message.RelayMessage;
import dev.grapnel.server.websocket.WebSocketConfig;
import dev.grapnel.store.StoreSamples;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/// Relay 2.8, tests 93 and 94: who does not read is told first and cut second, and nobody else notices.
final class SlowReaderTest {
    private static final String OVERFLOW = "error: live event buffer overflow; resubscribe";
    private static final String OUTBOUND = "MAX_OUTBOUND_BYTES";
    /// More than the buffers of two sockets take.
    private static final int MANY = 600;

    private static RelayUnderTest start(UnaryOperator<WebSocketConfig> times, int outboundMax) {
        return RelayUnderTest.startWith(times, OUTBOUND, Integer.toString(outboundMax));
    }

    /// So long the end of a connection is waited for.
    private static UnaryOperator<WebSocketConfig> patient(Duration closeMax) {
        return times -> new WebSocketConfig(
                times.messageMax(), times.pingInterval(), times.idleMax(), closeMax, times.stallMax());
    }

    private static UnaryOperator<WebSocketConfig> stalling(Duration stallMax) {
        return times -> new WebSocketConfig(
                times.messageMax(), times.pingInterval(), times.idleMax(), Duration.ofMillis(100), stallMax);
    }

    /// A client whose socket takes little.
    private static RelayClient slow(RelayUnderTest relay) throws IOException {
        var socket = new Socket();
        socket.setReceiveBufferSize(8 << 10);
        socket.setSoTimeout(20_000);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), relay.port()));
        return new RelayClient(WireClient.on(socket));
    }

    private static Event big(int author, int number) {
        return note(author, number, Instant.now().getEpochSecond());
    }

    private static Event note(int author, int number, long createdAt) {
        return StoreSamples.event(author, 1, createdAt, List.of(), number + "x".repeat(20_000));
    }

    /// Publishes until so many subscriptions are left.
    private static List<Event> publishUntil(RelayUnderTest relay, int subscriptions, int author) throws IOException {
        var published = new ArrayList<Event>();
        try (var publisher = relay.connect()) {
            while (relay.metric(SUBSCRIPTIONS) > subscriptions) {
                assertTrue(published.size() < MANY, "nothing has happened");
                published.add(publisher.publishOk(big(author, published.size())));
            }
        }
        return published;
    }

    // ---- told first

    @Test
    void liveSubscriptionsEndAtHalfTheLimitAndTheConnectionStays() throws Exception {
        try (var relay = start(UnaryOperator.identity(), 1 << 20);
                var fast = Listener.on(relay);
                var slow = slow(relay)) {
            fast.send("[\"REQ\",\"fast\",{\"kinds\":[1]}]");
            fast.await("EOSE", () -> fast.ends("fast") == 1);
            slow.subscribe("a", "{\"kinds\":[1]}");
            slow.subscribe("b", "{\"kinds\":[1]}");
            slow.subscribe("idle", "{\"kinds\":[7]}");
            var published = publishUntil(relay, 1, 1);
            var got = new HashMap<String, List<Event>>();
            var closed = new HashSet<String>();
            while (closed.size() < 3) {
                switch (slow.message()) {
                    case RelayMessage.Delivery(var id, var event) -> {
                        assertFalse(closed.contains(id.text()));
                        got.computeIfAbsent(id.text(), _ -> new ArrayList<>()).add(event);
                    }
                    case RelayMessage.Closed(var id, var reason) -> {
                        assertEquals(OVERFLOW, reason);
                        assertTrue(closed.add(id.text()));
                    }
                    case RelayMessage other -> throw new AssertionError(other);
                }
            }
            assertEquals(Set.of("a", "b", "idle"), closed);
            for (var id : List.of("a", "b")) {
                var events = got.getOrDefault(id, List.of());
                assertTrue(events.size() < published.size(), "nothing was taken back");
                assertEquals(published.subList(0, events.size()), events);
            }
            assertEquals(published.size(), slow.events("{\"kinds\":[1]}").size());
            assertEquals(1, slow.subscribe("a", "{\"kinds\":[1],\"limit\":1}").size());
            fast.await("all", () -> fast.eventCount("fast") == published.size());
            assertEquals(List.of(), fast.closed("fast"));
            slow.wire().close();
            fast.wire().close();
            Gauges.awaitNothing(relay);
        }
    }

    /// What is stored is sent as the reader takes it; only what came behind it has no place to wait.
    @Test
    void storedPhaseEndsOnlyIfLiveEventsPileUpBehindIt() throws Exception {
        long past = Instant.now().getEpochSecond() - 5_000;
        try (var relay = start(UnaryOperator.identity(), 4 << 20);
                var fast = Listener.on(relay);
                var writer = relay.connect();
                var slow = slow(relay)) {
            fast.send("[\"REQ\",\"fast\",{\"kinds\":[1],\"limit\":0}]");
            fast.await("EOSE", () -> fast.ends("fast") == 1);
            var stored = new HashSet<Event>();
            for (int i = 0; i < 400; i++) {
                stored.add(writer.publishOk(note(1, i, past + i)));
            }
            fast.await("all", () -> fast.eventCount("fast") == stored.size()); // none of these is live any more
            fast.send("[\"CLOSE\",\"fast\"]");
            Gauges.await(relay, SUBSCRIPTIONS, 0);
            slow.send("[\"REQ\",\"past\",{\"kinds\":[1],\"until\":" + (past + 1_000) + "}]");
            slow.send("[\"REQ\",\"both\",{\"kinds\":[1]}]");
            Gauges.await(relay, SUBSCRIPTIONS, 2);
            publishUntil(relay, 1, 2);
            var got = new HashMap<String, Set<Event>>();
            boolean ended = false;
            boolean closed = false;
            while (!ended || !closed) {
                switch (slow.message()) {
                    case RelayMessage.Delivery(var id, var event) ->
                        assertTrue(got.computeIfAbsent(id.text(), _ -> new HashSet<>())
                                .add(event));
                    case RelayMessage.Closed(var id, var reason) -> {
                        assertEquals("both", id.text());
                        assertEquals(OVERFLOW, reason);
                        closed = true;
                    }
                    case RelayMessage.EndOfStored(var id, var _) -> {
                        assertEquals("past", id.text());
                        ended = true;
                    }
                    case RelayMessage other -> throw new AssertionError(other);
                }
            }
            assertEquals(stored, got.get("past"));
            slow.expectNothing();
        }
    }

    // ---- cut second

    @Test
    void secondOverflowWithinAMinuteCloses() throws Exception {
        try (var relay = start(patient(Duration.ofSeconds(20)), 1 << 20);
                var fast = Listener.on(relay);
                var slow = slow(relay)) {
            fast.send("[\"REQ\",\"fast\",{\"kinds\":[1],\"limit\":0}]");
            fast.await("EOSE", () -> fast.ends("fast") == 1);
            slow.subscribe("s", "{\"kinds\":[1],\"limit\":0}");
            int first = publishUntil(relay, 1, 1).size();
            while (!(slow.message() instanceof RelayMessage.Closed)) {
                // what was on its way
            }
            slow.subscribe("s", "{\"kinds\":[1],\"limit\":0}");
            try (var publisher = relay.connect()) {
                for (int i = 0; i < MANY; i++) {
                    publisher.publishOk(big(2, i));
                }
            }
            var close = slow.wire().receiveClose();
            assertEquals(1008, close.closeCode());
            assertTrue(slow.wire().isEnd());
            fast.await("all", () -> fast.eventCount("fast") == first + MANY);
            Gauges.await(relay, SUBSCRIPTIONS, 1);
        }
    }

    @Test
    void whoIsCutIsNotWaitedFor() throws Exception {
        try (var relay = start(patient(Duration.ofMillis(100)), 1 << 20);
                var slow = slow(relay)) {
            slow.subscribe("s", "{\"kinds\":[1],\"limit\":0}");
            publishUntil(relay, 0, 1);
            slow.send("[\"REQ\",\"s\",{\"kinds\":[1],\"limit\":0}]");
            Gauges.await(relay, SUBSCRIPTIONS, 1);
            try (var publisher = relay.connect()) {
                for (int i = 0; i < MANY; i++) {
                    publisher.publishOk(big(2, i));
                }
            }
            Gauges.awaitNothing(relay); // although it has read nothing
        }
    }

    /// Answers are not taken back, so they reach the limit itself.
    @Test
    void answersThatNobodyReadsCloseAtTheLimit() throws Exception {
        var question = "[\"REQ\",\"" + "i".repeat(1_000) + "\"]";
        try (var relay = start(patient(Duration.ofMillis(100)), 256 << 10);
                var slow = slow(relay);
                var other = relay.connect()) {
            var frame = WireClient.frame(
                    true, 0, WireClient.TEXT, true, question.getBytes(java.nio.charset.StandardCharsets.UTF_8));
            try {
                for (int i = 0; i < 100_000 && (i % 100 != 0 || relay.metric(CONNECTIONS) == 2); i++) {
                    slow.wire().write(frame);
                }
            } catch (SocketException _) {
                // it is cut
            }
            Gauges.await(relay, CONNECTIONS, 1);
            other.expectNothing();
        }
    }

    @Test
    void whoTakesNothingForTooLongIsCut() throws Exception {
        try (var relay = start(stalling(Duration.ofMillis(400)), 32 << 20);
                var writer = relay.connect();
                var slow = slow(relay);
                var idle = relay.connect()) {
            idle.subscribe("idle", "{\"kinds\":[7]}");
            for (int i = 0; i < MANY / 2; i++) {
                writer.publishOk(big(1, i));
            }
            slow.send("[\"REQ\",\"s\",{\"kinds\":[1]}]");
            Gauges.await(relay, SUBSCRIPTIONS, 2);
            Gauges.await(relay, CONNECTIONS, 2);
            Gauges.await(relay, SUBSCRIPTIONS, 1);
            idle.expectNothing(); // nothing is queued for it, so there is nothing to take
        }
    }

    /// It answers no ping, and takes longer than that is waited for; but it reads on and on, so it is there.
    @Test
    void whoReadsSlowlyButSteadilyIsNotCut() throws Exception {
        UnaryOperator<WebSocketConfig> times = defaults -> new WebSocketConfig(
                defaults.messageMax(),
                Duration.ofSeconds(1),
                defaults.idleMax(),
                defaults.closeMax(),
                Duration.ofSeconds(10));
        try (var relay = start(times, 32 << 20)) {
            try (var writer = Listener.on(relay)) {
                for (int i = 0; i < MANY; i++) {
                    writer.send("[\"EVENT\"," + big(1, i) + "]");
                }
                writer.await("answers", () -> writer.accepted().size() == MANY);
            }
            try (var slow = slow(relay)) {
                slow.send("[\"REQ\",\"s\",{\"kinds\":[1]}]");
                int events = 0;
                while (slow.message() instanceof RelayMessage.Delivery) {
                    events++;
                    Thread.sleep(4); // there is nothing to wait for: this is a slow reader
                }
                assertEquals(MANY, events);
            }
        }
    }

    // ---- others

    /// Relay test 94.
    @Test
    void restingScansHoldBackNobodyAndGoOnWhenTheClientReads() throws Exception {
        try (var relay = RelayUnderTest.start();
                var writer = relay.connect()) {
            var stored = new ArrayList<Event>();
            for (int i = 0; i < MANY / 2; i++) {
                stored.add(writer.publishOk(big(1, i)));
            }
            var sleepers = new ArrayList<RelayClient>();
            try {
                for (int i = 0; i < 25; i++) {
                    var sleeper = slow(relay);
                    sleepers.add(sleeper);
                    for (int j = 0; j < 3; j++) {
                        sleeper.send("[\"REQ\",\"s" + j + "\",{\"kinds\":[1]}]");
                    }
                }
                Gauges.await(relay, SUBSCRIPTIONS, 75);
                for (int i = 0; i < 20; i++) {
                    var event = writer.publishOk(StoreSamples.event(2, 7, 1_000 + i, List.of(), "quick"));
                    assertEquals(List.of(event.id()), writer.query("{\"ids\":[\"" + event.id() + "\"]}"));
                }
                assertEquals(stored.size(), writer.query("{\"kinds\":[1]}").size());
                var awake = sleepers.getLast();
                var got = readStored(awake, 3);
                for (var events : got.values()) {
                    assertEquals(Set.copyOf(stored), Set.copyOf(events));
                    assertEquals(stored.size(), events.size());
                }
                awake.expectNothing();
            } finally {
                for (var sleeper : sleepers) {
                    sleeper.close();
                }
            }
            writer.wire().close();
            Gauges.awaitNothing(relay);
        }
    }

    private static Map<String, List<Event>> readStored(RelayClient client, int subscriptions) throws IOException {
        var got = new HashMap<String, List<Event>>();
        for (int ends = 0; ends < subscriptions; ) {
            switch (client.message()) {
                case RelayMessage.Delivery(var id, var event) ->
                    got.computeIfAbsent(id.text(), _ -> new ArrayList<>()).add(event);
                case RelayMessage.EndOfStored _ -> ends++;
                case RelayMessage other -> throw new AssertionError(other);
            }
        }
        return got;
    }

    /// A small limit must not make stored events something to be cut for.
    @Test
    void storedEventsFitTheSmallestLimit() throws Exception {
        try (var relay = start(UnaryOperator.identity(), 64 << 10);
                var writer = relay.connect();
                var slow = slow(relay)) {
            var stored = new ArrayList<Event>();
            for (int i = 0; i < MANY / 2; i++) {
                stored.add(writer.publishOk(StoreSamples.event(1, 1, 1_000 + i, List.of(), i + "x".repeat(3_000))));
            }
            slow.send("[\"REQ\",\"a\",{\"kinds\":[1]}]");
            slow.send("[\"REQ\",\"b\",{\"kinds\":[1]}]");
            Gauges.await(relay, SUBSCRIPTIONS, 2);
            for (var events : readStored(slow, 2).values()) {
                assertEquals(stored.reversed(), events);
            }
        }
    }

    /// CLOSE takes back what was queued, and what waited behind it goes on.
    @Test
    void closingOneSubscriptionLetsTheOthersGoOn() throws Exception {
        try (var relay = RelayUnderTest.start();
                var writer = relay.connect();
                var slow = slow(relay)) {
            for (int i = 0; i < MANY / 2; i++) {
                writer.publishOk(big(1, i));
            }
            for (int i = 0; i < 60; i++) {
                slow.send("[\"REQ\",\"s" + i + "\",{\"kinds\":[1]}]");
            }
            Gauges.await(relay, SUBSCRIPTIONS, 20); // the others wait for their turn
            for (int i = 0; i < 59; i++) {
                slow.send("[\"CLOSE\",\"s" + i + "\"]");
            }
            // the last one may have begun already, if there was room for its first events
            Gauges.awaitThat("all others to be closed", () -> relay.metric(SUBSCRIPTIONS) <= 1);
            int events = 0;
            while (true) {
                var message = slow.message();
                if (message instanceof RelayMessage.EndOfStored(var id, var _)) {
                    assertEquals("s59", id.text());
                    break;
                }
                if (message instanceof RelayMessage.Delivery(var id, var _)
                        && id.text().equals("s59")) {
                    events++;
                }
            }
            assertEquals(MANY / 2, events);
        }
    }
}
