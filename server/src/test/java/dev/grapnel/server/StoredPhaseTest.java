package dev.grapnel.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.store.StoreSamples;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/// What a question gets of the store, in which order and how much of it (relay 2.6).
@TestInstance(Lifecycle.PER_CLASS)
final class StoredPhaseTest {
    private static final long TIME = 1_700_000_000;
    private static final Comparator<Event> NEWEST_FIRST = Comparator.comparingLong(Event::createdAt)
            .reversed()
            .thenComparing(event -> event.id().toString());

    private RelayUnderTest relay;
    private RelayClient client;

    @BeforeAll
    void start() {
        relay = RelayUnderTest.start("MAX_LIMIT", "30", "DEFAULT_LIMIT", "20");
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

    private Event publish(int author, int kind, long createdAt, String content) throws IOException {
        return client.publishOk(StoreSamples.event(author, kind, createdAt, List.of(), content));
    }

    private List<Event> publishNotes(int author, int count, int secondsApart) throws IOException {
        var events = new ArrayList<Event>();
        for (int i = 0; i < count; i++) {
            events.add(publish(author, 1, TIME + (long) i * secondsApart, "note " + i));
        }
        events.sort(NEWEST_FIRST);
        return events;
    }

    /// A filter for events of this author, with more conditions.
    private static String by(int author, String more) {
        return "{\"authors\":[\"" + StoreSamples.author(author) + "\"]" + more + "}";
    }

    @Test // row 53
    void sendsTheNewestFirst() throws Exception {
        var events = publishNotes(1, 10, 7);
        assertEquals(events, client.events(by(1, "")));
        assertEquals(events, client.events(by(1, ",\"kinds\":[1,2]")));
    }

    @Test // rows 54, 55
    void sendsEventsOfOneSecondByTheirIds() throws Exception {
        var events = publishNotes(2, 20, 0);
        assertTrue(events.getFirst().id().toString().charAt(0) < '8'
                && events.getLast().id().toString().charAt(0) >= '8');
        assertEquals(events, client.events(by(2, "")));
        var ids = events.stream().map(event -> "\"" + event.id() + "\"").sorted(Comparator.reverseOrder());
        assertEquals(events, client.events("{\"ids\":[" + ids.collect(Collectors.joining(",")) + "]}"));
    }

    @Test // row 56
    void sendsTheNewestUpToTheLimit() throws Exception {
        var events = publishNotes(3, 10, 1);
        for (int limit = 1; limit < 12; limit++) {
            assertEquals(events.subList(0, Math.min(10, limit)), client.events(by(3, ",\"limit\":" + limit)));
        }
    }

    @Test // row 57
    void sendsOnlyNewEventsForALimitOfZero() throws Exception {
        publishNotes(4, 3, 1);
        assertEquals("[\"EOSE\",\"s\"]", client.ask("[\"REQ\",\"s\"," + by(4, ",\"limit\":0") + "]"));
        try (var publisher = relay.connect()) {
            var event = publisher.publishOk(StoreSamples.event(4, 1, TIME, List.of(), "live"));
            assertEquals(event, client.live("s"));
        }
    }

    @Test // rows 58, 59
    void cutsAtTheGreatestLimitAndAtTheDefaultOne() throws Exception {
        var events = publishNotes(5, 40, 1);
        assertEquals(events.subList(0, 30), client.events(by(5, ",\"limit\":31")));
        assertEquals(events.subList(0, 30), client.events(by(5, ",\"limit\":99999999999999999999")));
        assertEquals(events.subList(0, 20), client.events(by(5, "")));
    }

    @Test // rows 60, 61
    void sendsTheUnionOfWhatEachFilterGets() throws Exception {
        var notes = publishNotes(6, 6, 2);
        var likes = new ArrayList<Event>();
        for (int i = 0; i < 6; i++) {
            likes.add(publish(6, 7, TIME + 2L * i + 1, "like " + i));
        }
        likes.sort(NEWEST_FIRST);
        var expected = new ArrayList<Event>(notes.subList(0, 2));
        expected.addAll(likes.subList(0, 3));
        expected.sort(NEWEST_FIRST);
        assertEquals(expected, client.events(by(6, ",\"kinds\":[1],\"limit\":2"), by(6, ",\"kinds\":[7],\"limit\":3")));
        // An event in both tops takes a place in both.
        assertEquals(
                notes.subList(0, 3),
                client.events(by(6, ",\"kinds\":[1],\"limit\":2"), by(6, ",\"kinds\":[1],\"limit\":3")));
        assertEquals(
                List.of(likes.get(0), notes.get(0), likes.get(1), notes.get(1)),
                client.events(by(6, ",\"limit\":3"), by(6, ",\"kinds\":[1],\"limit\":2")));
    }

    @Test // row 62
    void endsEveryAnswerWithOneEose() throws Exception {
        publishNotes(7, 2, 1);
        client.subscribe("full", by(7, ""));
        client.expectNothing();
        assertEquals("[\"EOSE\",\"empty\"]", client.ask("[\"REQ\",\"empty\"," + by(8, "") + "]"));
        client.expectNothing();
    }

    @Test // rows 63, 64
    void sendsEveryIdAskedForWhateverTheLimitsAre() throws Exception {
        var events = publishNotes(9, 150, 1);
        var ids = new ArrayList<String>();
        events.forEach(event -> ids.add("\"" + event.id() + "\""));
        IntStream.range(0, 350).forEach(i -> ids.add("\"%064x\"".formatted(i)));
        var filter = "{\"ids\":[" + String.join(",", ids) + "]";
        assertEquals(events, client.subscribe("s", filter + "}"));
        assertEquals(events.subList(0, 30), client.events(filter + ",\"limit\":100}"));
        client.expectNothing(); // the first one stays open
        var later = StoreSamples.event(9, 1, TIME, List.of(), "later");
        client.subscribe("later", "{\"ids\":[\"" + later.id() + "\"]}");
        try (var publisher = relay.connect()) {
            publisher.publishOk(later);
        }
        assertEquals(later, client.live("later"));
    }

    @Test // row 65
    void countsBothEndsOfATime() throws Exception {
        var events = publishNotes(10, 5, 1);
        assertEquals(
                List.of(events.get(2)), client.events(by(10, ",\"since\":" + (TIME + 2) + ",\"until\":" + (TIME + 2))));
        assertEquals(
                events.subList(1, 4), client.events(by(10, ",\"since\":" + (TIME + 1) + ",\"until\":" + (TIME + 3))));
    }

    @Test // row 66
    void findsNothingBetweenTheWrongEnds() throws Exception {
        publishNotes(11, 3, 1);
        assertEquals(
                "[\"EOSE\",\"s\"]",
                client.ask("[\"REQ\",\"s\"," + by(11, ",\"since\":" + (TIME + 2) + ",\"until\":" + TIME) + "]"));
        client.expectNothing();
    }

    @Test // row 67
    void takesTimesBeyondSixtyThreeBits() throws Exception {
        var events = publishNotes(12, 3, 1);
        for (var until : List.of("9223372036854775807", "9223372036854775808", "1" + "0".repeat(40))) {
            assertEquals(events, client.events(by(12, ",\"until\":" + until)));
            assertEquals(List.of(), client.events(by(12, ",\"since\":" + until)));
        }
    }

    @Test // relay 2.6
    void saysWhetherThereIsMoreIfToldTo() throws Exception {
        try (var hinting = RelayUnderTest.start("EOSE_HINT", "true");
                var other = hinting.connect()) {
            other.publishOk(StoreSamples.event(1, 1, TIME, List.of(), "a"));
            other.publishOk(StoreSamples.event(1, 1, TIME, List.of(), "b"));
            other.send("[\"REQ\",\"s\",{\"limit\":1}]");
            other.receive();
            assertEquals("[\"EOSE\",\"s\",[\"more\"]]", other.receive());
            other.send("[\"REQ\",\"s\",{\"limit\":3}]");
            other.receive();
            other.receive();
            assertEquals("[\"EOSE\",\"s\",[\"finish\"]]", other.receive());
            other.send("[\"REQ\",\"s\",{\"limit\":0}]");
            assertEquals("[\"EOSE\",\"s\"]", other.receive());
        }
    }
}
