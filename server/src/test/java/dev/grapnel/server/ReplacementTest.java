package dev.grapnel.server;

import static dev.grapnel.server.Replies.assertAnswer;
import static dev.grapnel.server.Replies.assertRefused;
import static dev.grapnel.server.Replies.assertTaken;
import static dev.grapnel.server.Replies.publishing;
import static dev.grapnel.server.Replies.quoted;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.store.StoreSamples;
import dev.grapnel.store.engine.ManualTime;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Versions that replace each other, and events that nobody keeps (relay 4.3, 4.4). That a held event is known
/// (row 105) is seen where events are held.
@TestInstance(Lifecycle.PER_CLASS)
final class ReplacementTest {
    private static final long TIME = 1_700_000_000;
    private static final int REPLACEMENTS = Integer.getInteger("grapnel.replacements", 1_000);
    private static final String OUTDATED = "duplicate: have a newer version";

    /// Relay 9.2: two profiles of one second; the one with the lower id stays.
    private static final String LOWER_ID = "b39eda8475d345d4da75418f0ee4a9ec183eb0483634cfdc8415cefdf5c02b96";

    private static final String LOWER = "{\"kind\":0,\"id\":\"" + LOWER_ID
            + "\",\"pubkey\":\"79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798\","
            + "\"created_at\":1754066538,\"tags\":[],\"content\":\"smallest id\",\"sig\":\"22e9f94de060c8e0a958b8fbc42"
            + "914fab12c90be5ea9153aa11f92ed8c38c18a3374221fe37cb40b461d391e8ee92d6dd5083b0be8e146bf90af694560f18e17\"}";
    private static final String HIGHER_ID = "eedcb07adabb380e853815534568e05cc5678bc8f9d8cf3dbee8513d37f1c47f";
    private static final String HIGHER = "{\"kind\":0,\"id\":\"" + HIGHER_ID
            + "\",\"pubkey\":\"79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798\","
            + "\"created_at\":1754066538,\"tags\":[],\"content\":\"biggest id\",\"sig\":\"b127afb6b7967b483bffe0d8ca21"
            + "335509820bbfc37ba09874cc931c6c8c97dec4d44ac5d1071973d3b337c6fe614a8ca2cdc1e89c3c68cd557f4a2eca90cab3\"}";

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

    private static String by(int author) {
        return "{\"authors\":[\"" + StoreSamples.author(author) + "\"]}";
    }

    private static Event list(int author, long createdAt, List<String> tag) {
        return StoreSamples.event(author, 30_000, createdAt, tag.isEmpty() ? List.of() : List.of(tag), "list");
    }

    private static String ok(String id, boolean accepted, String message) {
        return "[\"OK\",\"" + id + "\"," + accepted + "," + quoted(message) + "]";
    }

    @Test // rows 95, 96
    void keepsTheNewestOnly() throws Exception {
        var old = StoreSamples.event(1, 0, TIME, List.of(), "old");
        var current = StoreSamples.event(1, 0, TIME + 1, List.of(), "current");
        assertTaken(client, old);
        assertTaken(client, current);
        assertEquals(List.of(current), client.events(by(1)));
        assertEquals(List.of(), client.events("{\"ids\":[\"" + old.id() + "\"]}"));
        assertAnswer(client, old, false, OUTDATED);
        assertAnswer(client, StoreSamples.event(1, 0, TIME - 1, List.of(), "older"), false, OUTDATED);
        assertEquals(List.of(current), client.events(by(1)));
    }

    @Test // row 97
    void keepsTheLowerIdOfOneSecond() throws Exception {
        try (var first = RelayUnderTest.start();
                var second = RelayUnderTest.start();
                var one = first.connect();
                var two = second.connect()) {
            assertEquals(ok(LOWER_ID, true, ""), one.ask(publishing(LOWER)));
            assertEquals(ok(HIGHER_ID, false, OUTDATED), one.ask(publishing(HIGHER)));
            assertEquals(ok(HIGHER_ID, true, ""), two.ask(publishing(HIGHER)));
            assertEquals(ok(LOWER_ID, true, ""), two.ask(publishing(LOWER)));
            for (var reader : List.of(one, two)) {
                assertEquals(
                        List.of(LOWER_ID),
                        reader.query("{}").stream().map(Object::toString).toList());
            }
        }
    }

    @Test // row 98
    void replacesNothingOfAnotherAddress() throws Exception {
        var events = List.of(
                list(2, TIME + 1, List.of("d", "a")),
                list(2, TIME, List.of("d", "b")),
                StoreSamples.event(2, 30_001, TIME, List.of(List.of("d", "a")), ""),
                StoreSamples.event(2, 10_002, TIME, List.of(), ""));
        for (var event : events) {
            assertTaken(client, event);
        }
        assertTaken(client, list(3, TIME, List.of("d", "a")));
        assertEquals(Set.copyOf(events), Set.copyOf(client.events(by(2))));
    }

    @Test // row 99
    void doesNotSplitReplaceableKindsByIdentifier() throws Exception {
        assertTaken(client, StoreSamples.event(4, 10_002, TIME, List.of(List.of("d", "a")), ""));
        var current = StoreSamples.event(4, 10_002, TIME + 1, List.of(List.of("d", "b")), "");
        assertTaken(client, current);
        assertEquals(List.of(current), client.events(by(4)));
        assertEquals(List.of(current), client.events(by(4).replace("}", ",\"#d\":[\"b\"]}")));
    }

    @Test // rows 100, 101
    void takesTheFirstIdentifierAndNoneForEmpty() throws Exception {
        long time = TIME;
        Event current = list(5, time, List.of());
        assertTaken(client, current);
        for (var tags : List.of(
                List.of(List.of("d")),
                List.of(List.of("d", "")),
                List.of(List.of("d", "", "x"), List.of("d", "x")),
                List.of(List.of("d"), List.of("d", "x")),
                List.of(List.of("x", "d")))) {
            time++;
            current = StoreSamples.event(5, 30_000, time, tags, "");
            assertTaken(client, current);
            assertEquals(List.of(current), client.events(by(5)), tags.toString());
        }
        var second = StoreSamples.event(5, 30_000, TIME, List.of(List.of("d", "x"), List.of("d", "")), "");
        assertTaken(client, second);
        assertEquals(2, client.events(by(5)).size());
    }

    @ParameterizedTest // row 102
    @ValueSource(strings = {"a:b:c", "two words ", "\uD83D\uDE80", "a\0b", "LONG"})
    void takesAnyIdentifier(String name) throws Exception {
        var identifier = name.equals("LONG") ? "long ".repeat(200) : name;
        var filter = by(6).replace("}", ",\"#d\":[" + quoted(identifier) + "]}");
        assertTaken(client, list(6, TIME, List.of("d", identifier)));
        var current = list(6, TIME + 1, List.of("d", identifier));
        assertTaken(client, current);
        assertAnswer(client, list(6, TIME - 1, List.of("d", identifier)), false, OUTDATED);
        assertTaken(client, list(6, TIME, List.of("d", identifier + "x")));
        assertEquals(List.of(current), client.events(filter));
    }

    @ParameterizedTest // row 103
    @ValueSource(ints = {1, 41, 1_617, 9_999, 40_000, 65_535})
    void keepsAllEventsOfRegularKinds(int kind) throws Exception {
        assertTaken(client, StoreSamples.event(7, kind, TIME, List.of(List.of("d", "a")), "one"));
        assertTaken(client, StoreSamples.event(7, kind, TIME + 1, List.of(List.of("d", "a")), "two"));
        assertEquals(
                2,
                client.query(by(7).replace("}", ",\"kinds\":[" + kind + "]}")).size());
    }

    @Test // row 104
    void readersAlwaysSeeOneVersion() throws Exception {
        assertTaken(client, list(8, TIME, List.of("d", "busy")));
        var done = new AtomicBoolean();
        var reader = CompletableFuture.supplyAsync(() -> pollWhile(done));
        for (int i = 1; i <= REPLACEMENTS; i++) {
            assertTaken(client, list(8, TIME + i, List.of("d", "busy")));
        }
        done.set(true);
        assertEquals(Set.of(1), reader.get());
    }

    /// How many versions a reader saw at a time.
    private Set<Integer> pollWhile(AtomicBoolean done) {
        var seen = new HashSet<Integer>();
        try (var other = relay.connect()) {
            for (int i = 0; !done.get(); i++) {
                seen.add(countVersions(other, "p" + i));
            }
            return seen;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Versions before EOSE; what earlier questions still hear is left out.
    private static int countVersions(RelayClient other, String id) throws IOException {
        other.send("[\"REQ\",\"" + id + "\"," + by(8).replace("}", ",\"kinds\":[30000],\"#d\":[\"busy\"]}") + "]");
        int count = 0;
        for (var answer = other.receive(); !answer.equals("[\"EOSE\",\"" + id + "\"]"); answer = other.receive()) {
            count += answer.startsWith("[\"EVENT\",\"" + id + "\"") ? 1 : 0;
        }
        other.send("[\"CLOSE\",\"" + id + "\"]");
        return count;
    }

    @Test // row 105
    void knowsTheCurrentVersion() throws Exception {
        var event = list(9, TIME, List.of("d", "a"));
        assertTaken(client, event);
        assertAnswer(client, event, true, "duplicate: already have this event");
    }

    // ---- ephemeral

    @Test // rows 106, 108
    void passesOnWhatIsNotKept() throws Exception {
        try (var listener = relay.connect()) {
            listener.subscribe("s", by(10));
            var event = StoreSamples.event(10, 20_001, System.currentTimeMillis() / 1000, List.of(), "once");
            assertTaken(client, event);
            assertEquals(event, listener.live("s"));
            assertAnswer(client, event, true, "duplicate: already have this event");
            assertEquals(List.of(), client.events(by(10)));
            assertEquals(List.of(), client.events("{\"ids\":[\"" + event.id() + "\"]}"));
            assertEquals("[\"COUNT\",\"c\",{\"count\":0}]", client.ask("[\"COUNT\",\"c\"," + by(10) + "]"));
            assertEquals(
                    "[\"NEG-MSG\",\"n\",\"6100000200\"]",
                    client.ask("[\"NEG-OPEN\",\"n\"," + by(10) + ",\"6100000200\"]"));
            var next = StoreSamples.event(10, 1, TIME, List.of(), "next");
            assertTaken(client, next);
            assertEquals(next, listener.live("s"), "the repeat is not passed on");
        }
    }

    @Test // row 107
    void refusesStaleEphemeralEvents() throws Exception {
        try (var timed = RelayUnderTest.startAt(new ManualTime(TIME));
                var other = timed.connect()) {
            assertTaken(other, StoreSamples.event(11, 29_999, TIME - 300, List.of(), ""));
            assertRefused(other, StoreSamples.event(11, 20_000, TIME - 301, List.of(), ""), "invalid: ");
            var expiring = List.of(List.of("expiration", Long.toString(TIME - 1)));
            assertTaken(other, StoreSamples.event(11, 20_000, TIME, expiring, ""));
        }
    }
}
