package dev.grapnel.server;

import static dev.grapnel.server.GraspUnderTest.coordinate;
import static dev.grapnel.server.GraspUnderTest.maintainers;
import static dev.grapnel.server.Replies.assertHeld;
import static dev.grapnel.server.Replies.assertTaken;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.purgatory.Origin;
import dev.grapnel.store.StoreSamples;
import dev.grapnel.store.row.Dormant;
import dev.grapnel.store.table.Table;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// What is remembered of events whose time was over, and for how long (purgatory 1.5). Numbers are rows of
/// purgatory 11.
final class ExpiredMemoryTest {
    private static final int ANN = 1;
    private static final int BOB = 2;
    private static final Duration WAIT = Duration.ofMinutes(30);
    private static final String RELAY = "wss://relay.example.org";
    private static final Origin REVIVED = new Origin.Revived(RELAY);

    private static Event state(GraspUnderTest server, int number) {
        return server.stateAt(server.now(), ANN, "x", List.of("refs/heads/main", "%040x".formatted(number + 1)));
    }

    /// Row 42.
    @Test
    void idsAreForgottenAfterSevenDays() throws Exception {
        try (var server = GraspUnderTest.start();
                var client = server.connect()) {
            assertHeld(client, server.announcement(ANN, "x"));
            var state = server.state(ANN, "x");
            assertHeld(client, state);
            server.pass(WAIT);
            server.pass(Duration.ofDays(7).minusSeconds(1));
            assertTrue(server.expired(state).isPresent());
            server.pass(Duration.ofSeconds(1));
            assertTrue(server.expired(state).isEmpty());
            assertFalse(server.purgatory().knows(state.id()));
        }
    }

    /// Row 42.
    @Test
    void oldestIdsAreForgottenWhenThereAreTooMany() throws Exception {
        try (var server = GraspUnderTest.start("PURGATORY_EXPIRED_MAX", "3");
                var client = server.connect()) {
            assertHeld(client, server.announcement(ANN, "x"));
            var states = new ArrayList<Event>();
            for (int i = 0; i < 5; i++) {
                server.clock().advance(Duration.ofSeconds(100));
                states.add(state(server, i));
                assertHeld(client, states.getLast());
            }
            for (int i = 0; i < 30; i++) {
                server.pass(Duration.ofSeconds(100));
            }
            assertEquals(
                    List.of(false, false, true, true, true),
                    states.stream()
                            .map(found -> server.expired(found).isPresent())
                            .toList());
        }
    }

    /// Row 211.
    @Test
    void stateLeavesWhatIsNeededToNoticeLateData() throws Exception {
        try (var server = GraspUnderTest.start();
                var client = server.connect()) {
            assertHeld(client, server.announcement(ANN, "x", maintainers(BOB)));
            assertHeld(client, server.elsewhere(BOB, "x", maintainers(ANN)));
            var state = server.stateAt(
                    server.now(),
                    BOB,
                    "x",
                    List.of("refs/heads/a", "1".repeat(40)),
                    List.of("refs/heads/main", "2".repeat(40)),
                    List.of("refs/tags/v1", "3".repeat(40)),
                    List.of("HEAD", "ref: refs/heads/main"));
            assertHeld(client, state);
            server.pass(WAIT);
            var dormant = dormant(server, state);
            assertEquals(List.of(new Identifier("x")), dormant.identifiers());
            assertEquals(StoreSamples.author(BOB), dormant.author());
            assertEquals(state.createdAt(), dormant.createdAt());
            assertEquals("2".repeat(40), dormant.missing().getFirst().toString());
            assertEquals(3, dormant.missing().size());
            assertEquals(List.of("https://other.example.org/r.git"), dormant.cloneUrls());
        }
    }

    private static Dormant dormant(GraspUnderTest server, Event event) {
        return server.expired(event).orElseThrow().dormant().orElseThrow();
    }

    /// Row 211.
    @Test
    void pullRequestLeavesWhatIsNeededToNoticeLateData() throws Exception {
        try (var server = GraspUnderTest.start();
                var client = server.connect()) {
            assertHeld(client, server.announcement(ANN, "x"));
            var request = server.event(
                    BOB,
                    Kinds.PULL_REQUEST,
                    List.of("a", coordinate(ANN, "x")),
                    List.of("c", "2".repeat(40)),
                    List.of("clone", "https://third.example.org/x.git"));
            assertHeld(client, request);
            server.pass(WAIT);
            var dormant = dormant(server, request);
            assertEquals("2".repeat(40), dormant.missing().getFirst().toString());
            assertEquals(List.of("https://third.example.org/x.git"), dormant.cloneUrls());
        }
    }

    /// Row 211.
    @Test
    void olderEmptyAndImpossibleStatesAndAnnouncementsLeaveNothingButTheirIds() throws Exception {
        try (var server = GraspUnderTest.start();
                var client = server.connect()) {
            var announcement = server.announcement(ANN, "x");
            assertHeld(client, announcement);
            assertHeld(client, server.announcement(BOB, "x"));
            assertHeld(client, server.announcement(5, "x"));
            var older = server.stateAt(server.now() - 5, ANN, "x", List.of("refs/heads/main", "1".repeat(40)));
            var newest = server.stateAt(server.now() - 4, ANN, "x", List.of("refs/heads/main", "2".repeat(40)));
            var empty = server.stateAt(server.now(), BOB, "x");
            var impossible = server.stateAt(server.now(), 5, "x", List.of("refs/heads/main", "abc123"));
            for (var state : List.of(newest, older, empty, impossible)) {
                assertHeld(client, state);
            }
            server.pass(WAIT);
            server.pass(Duration.ofDays(1));
            assertTrue(server.expired(newest).orElseThrow().dormant().isPresent());
            for (var bare : List.of(older, empty, impossible, announcement)) {
                assertTrue(server.expired(bare).orElseThrow().dormant().isEmpty(), bare.toString());
            }
        }
    }

    /// Row 216.
    @Test
    void newerStateOfItsAuthorEndsARecord() throws Exception {
        try (var server = GraspUnderTest.start();
                var client = server.connect()) {
            assertHeld(client, server.announcement(ANN, "x"));
            assertHeld(client, server.announcement(ANN, "y"));
            var first = expire(server, client, server.state(ANN, "x"));
            var other = expire(server, client, server.state(ANN, "y"));
            assertHeld(client, state(server, 5));
            server.sweep();
            assertTrue(server.expired(first).orElseThrow().dormant().isEmpty());
            assertTrue(server.expired(other).orElseThrow().dormant().isPresent());
            server.serve(server.stateAt(server.now() + 1, ANN, "y", List.of("refs/heads/main", "5".repeat(40))));
            server.sweep();
            assertTrue(server.expired(other).orElseThrow().dormant().isEmpty());
        }
    }

    private static Event expire(GraspUnderTest server, RelayClient client, Event event) throws IOException {
        assertHeld(client, event);
        server.pass(WAIT);
        assertTrue(server.expired(event).orElseThrow().dormant().isPresent());
        return event;
    }

    /// Row 216.
    @Test
    void deletionVanishAndBanEndRecords() throws Exception {
        try (var server = GraspUnderTest.start();
                var client = server.connect()) {
            var people = List.of(ANN, BOB, 5, 6);
            for (int person : people) {
                assertHeld(client, server.announcement(person, "x"));
            }
            var states = new ArrayList<Event>();
            for (int person : people) {
                states.add(server.state(person, "x"));
                assertHeld(client, states.getLast());
            }
            server.pass(WAIT);
            server.clock().advance(Duration.ofMinutes(1));
            assertTaken(client, server.deletion(ANN, states.get(0)));
            assertTaken(client, server.event(BOB, 62, List.of("relay", "ALL_RELAYS")));
            server.purgatory().ban(StoreSamples.author(5), "spam");
            assertEquals(
                    List.of(false, false, false, true),
                    states.stream()
                            .map(found -> server.expired(found)
                                    .flatMap(row -> row.dormant())
                                    .isPresent())
                            .toList());
        }
    }

    /// P-262: by coordinate as by id.
    @Test
    void deletionByCoordinateEndsRecords() throws Exception {
        try (var server = GraspUnderTest.start();
                var client = server.connect()) {
            assertHeld(client, server.announcement(ANN, "x"));
            var state = expire(server, client, server.state(ANN, "x"));
            var target = List.of("a", "30618:" + StoreSamples.author(ANN) + ":x");
            assertTaken(client, server.deletionAt(server.now(), ANN, List.of(target)));
            server.sweep();
            assertTrue(server.expired(state).flatMap(row -> row.dormant()).isEmpty());
        }
    }

    /// Row 216.
    @Test
    void oldestRecordsOfAnAuthorAndOfAllMakeRoomAndTheirIdsStay() throws Exception {
        try (var server = GraspUnderTest.start("PURGATORY_DORMANT_MAX", "22");
                var client = server.connect()) {
            var requests = new ArrayList<Event>();
            assertHeld(client, server.announcement(ANN, "x"));
            for (int i = 0; i < 24; i++) {
                server.clock().advance(Duration.ofSeconds(10));
                int author = i < 21 ? BOB : 10 + i;
                requests.add(server.pullRequest(author, ANN, "x"));
                assertHeld(client, requests.getLast());
            }
            for (int i = 0; i < 200; i++) {
                server.pass(Duration.ofSeconds(10));
            }
            var kept = requests.stream()
                    .map(found -> server.expired(found).orElseThrow().dormant().isPresent())
                    .toList();
            assertFalse(kept.get(0), "the 21st of its author");
            assertFalse(kept.get(1), "the 23rd of all");
            assertEquals(22, kept.stream().filter(found -> found).count());
            assertEquals(24, server.rows(Table.EXPIRED_EVENTS));
        }
    }

    /// Row 211.
    @Test
    void recordNamesTheRelayItsEventCameFrom() throws Exception {
        try (var server = GraspUnderTest.start()) {
            server.sync(server.announcement(ANN, "x"));
            var state = server.state(ANN, "x");
            var request = server.pullRequest(BOB, ANN, "x");
            var fromRelay = new Origin.Synced(Optional.of(RELAY));
            server.admit(state, fromRelay);
            server.admit(request, fromRelay);
            server.pass(WAIT);
            assertEquals(Optional.of(RELAY), dormant(server, state).relay());
            assertEquals(Optional.of(RELAY), dormant(server, request).relay());
        }
    }

    /// P-121: what comes back because its data was seen waits again, and its row counts on.
    @Test
    void revivedEventsWaitAgainAndTheirRowsAreLifted() throws Exception {
        try (var server = GraspUnderTest.start()) {
            server.serve(server.announcement(ANN, "x"));
            for (var event : List.of(server.state(ANN, "x"), server.pullRequest(BOB, ANN, "x"))) {
                server.sync(event);
                server.pass(WAIT);
                var before = server.expired(event).orElseThrow();
                assertFalse(server.sync(event).isAccepted());
                assertTrue(server.admit(event, REVIVED).isAccepted());
                assertTrue(server.isHeld(event));
                assertEquals(before.revived(), server.expired(event).orElseThrow());
                assertTrue(server.purgatory().knows(event.id()), "it is held");
                server.pass(WAIT);
                assertFalse(server.sync(event).isAccepted(), "it has expired again");
            }
        }
    }

    /// P-613: what is refused for another reason lifts nothing.
    @Test
    void revivedEventThatIsNotTakenLiftsNothing() throws Exception {
        try (var server = GraspUnderTest.start()) {
            server.sync(server.announcement(ANN, "x"));
            var state = server.state(ANN, "x");
            server.sync(state);
            server.pass(WAIT);
            var before = server.expired(state);
            server.pass(Duration.ofDays(1)); // the announcement goes, too
            assertFalse(server.admit(state, REVIVED).isAccepted());
            assertEquals(before, server.expired(state));
        }
    }

    /// Row 216.
    @Test
    void recordEndsAfterTheThirdRevivalAndItsIdStays() throws Exception {
        try (var server = GraspUnderTest.start()) {
            server.serve(server.announcement(ANN, "x"));
            var state = server.state(ANN, "x");
            server.sync(state);
            server.pass(WAIT);
            for (int i = 0; i < 3; i++) {
                assertTrue(server.expired(state).orElseThrow().dormant().isPresent());
                server.admit(state, REVIVED);
                server.pass(WAIT);
            }
            assertTrue(server.expired(state).orElseThrow().dormant().isEmpty());
            assertFalse(server.sync(state).isAccepted());
        }
    }

    /// Row 216.
    @Test
    void revivalsDoNotProlongTheMemory() throws Exception {
        try (var server = GraspUnderTest.start()) {
            server.serve(server.announcement(ANN, "x"));
            var state = server.state(ANN, "x");
            server.sync(state);
            server.pass(WAIT);
            server.pass(Duration.ofDays(6));
            server.admit(state, REVIVED);
            server.pass(WAIT);
            assertTrue(server.expired(state).orElseThrow().dormant().isPresent());
            server.pass(Duration.ofDays(1));
            assertTrue(server.expired(state).isEmpty());
        }
    }
}
