package dev.grapnel.server;

import static dev.grapnel.server.GraspUnderTest.coordinate;
import static dev.grapnel.server.Replies.assertAnswer;
import static dev.grapnel.server.Replies.assertHeld;
import static dev.grapnel.server.Replies.assertTaken;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.store.StoreSamples;
import dev.grapnel.store.table.Table;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Deletion requests that come before anything of their author (purgatory P-266, service 4.9). Numbers are
/// rows of purgatory 11.
final class GateTest {
    private static final int ANN = 1;
    private static final int BOB = 2;
    private static final String DELETED = "blocked: deletion of this event was requested by its author";

    /// Row 220.
    @Test
    void requestOfAnUnknownAuthorIsAcceptedAndSeenByNobody() throws Exception {
        try (var server = GraspUnderTest.start();
                var client = server.connect();
                var listener = server.connect()) {
            listener.subscribe("all", "{}");
            var gate = server.deletion(ANN, server.announcement(ANN, "x"));
            assertTaken(client, gate);
            assertTaken(client, gate);
            assertEquals(List.of(), client.query("{}"));
            assertEquals("[\"COUNT\",\"c\",{\"count\":0}]", client.ask("[\"COUNT\",\"c\",{\"kinds\":[5]}]"));
            listener.expectNothing();
            assertTrue(server.purgatory().knows(gate.id()));
            assertAnswer(
                    client,
                    server.event(BOB, 1, List.of("e", gate.id().toHex())),
                    false,
                    "restricted: event must reference an accepted repository or accepted event");
        }
    }

    /// Row 221.
    @Test
    void coveredEventIsRefusedAndTheRequestServed() throws Exception {
        for (boolean isSynced : new boolean[] {false, true}) {
            try (var server = GraspUnderTest.start();
                    var client = server.connect();
                    var listener = server.connect()) {
                var announcement = server.announcement(ANN, "x");
                var gate = server.deletion(ANN, announcement);
                assertTaken(client, gate);
                listener.subscribe("s", "{}");
                if (isSynced) {
                    assertEquals(DELETED, server.sync(announcement).message());
                } else {
                    assertAnswer(client, announcement, false, DELETED);
                }
                assertEquals(gate, listener.live("s"));
                assertTrue(server.isServed(gate));
                assertEquals(0, server.onDisk());
                assertEquals(0, server.rows(Table.GATES));
                assertAnswer(client, announcement, false, DELETED);
            }
        }
    }

    /// Row 221, by coordinate.
    @Test
    void gateForACoordinateCoversWhatIsNotNewer() throws Exception {
        try (var server = GraspUnderTest.start();
                var client = server.connect()) {
            var gate = server.deletionAt(server.now(), ANN, List.of(List.of("a", coordinate(ANN, "x"))));
            assertTaken(client, gate);
            assertAnswer(client, server.announcementAt(server.now(), ANN, "x"), false, DELETED);
            assertHeld(client, server.announcementAt(server.now() + 1, ANN, "x"));
        }
    }

    /// Row 222.
    @Test
    void oldestGateIsForgottenWhenThereAreTooMany() throws Exception {
        try (var server = GraspUnderTest.start("DELETION_GATE_MAX_TARGETS", "2");
                var client = server.connect()) {
            var gates = new Event[3];
            for (int i = 0; i < 3; i++) {
                gates[i] = server.deletion(10 + i, server.announcement(10 + i, "x"));
                assertTaken(client, gates[i]);
                server.clock().advance(Duration.ofSeconds(1));
            }
            assertFalse(server.purgatory().knows(gates[0].id()));
            assertTrue(server.purgatory().knows(gates[1].id()));
            assertHeld(client, server.announcement(10, "x"));
        }
    }

    /// Row 222.
    @Test
    void lifetimeOfAGateGoesOnOverARestart(@TempDir Path directory) throws Exception {
        var clock = new GraspUnderTest.Clock();
        Event announcement;
        try (var server = GraspUnderTest.start(directory, clock);
                var client = server.connect()) {
            announcement = server.announcement(ANN, "x");
            assertTaken(client, server.deletion(ANN, announcement));
        }
        clock.advance(Duration.ofDays(29));
        try (var server = GraspUnderTest.start(directory, clock);
                var client = server.connect()) {
            assertAnswer(client, announcement, false, DELETED);
        }
    }

    /// Row 222: whether it was swept already or not.
    @Test
    void gatePastItsTimeBlocksNothing() throws Exception {
        try (var server = GraspUnderTest.start();
                var client = server.connect()) {
            var announcement = server.announcement(ANN, "x");
            var other = server.announcement(BOB, "x");
            assertTaken(client, server.deletion(ANN, announcement));
            assertTaken(client, server.deletion(BOB, other));
            server.clock().advance(Duration.ofDays(30).minusMillis(1));
            assertAnswer(client, other, false, DELETED);
            server.clock().advance(Duration.ofMillis(1));
            assertEquals(1, server.rows(Table.GATES), "nobody has swept it");
            assertHeld(client, announcement);
            assertTrue(server.isHeld(announcement));
            assertEquals(200, server.gitStatus(ANN, "x"));
            assertAnswer(client, announcement, true, "duplicate: in purgatory");
        }
    }

    @Test
    void gateThatIsRepeatedAfterItsTimeBeginsAgain() throws Exception {
        try (var server = GraspUnderTest.start();
                var client = server.connect()) {
            var announcement = server.announcement(ANN, "x");
            var gate = server.deletion(ANN, announcement);
            assertTaken(client, gate);
            server.clock().advance(Duration.ofDays(30));
            assertTaken(client, gate);
            server.clock().advance(Duration.ofDays(29));
            assertAnswer(client, announcement, false, DELETED);
        }
    }

    /// Row 222, for what is served at once.
    @Test
    void gatePastItsTimeLeavesWhatIsServedAlone() throws Exception {
        try (var server = GraspUnderTest.start();
                var client = server.connect()) {
            server.serve(server.announcement(BOB, "x"));
            var issue = server.event(ANN, 1621, List.of("a", coordinate(BOB, "x")));
            var gate = server.deletion(ANN, issue);
            assertTaken(client, gate);
            server.clock().advance(Duration.ofDays(30));
            assertTaken(client, issue);
            assertTrue(server.isServed(issue));
            assertFalse(server.isServed(gate), "its time was over");
        }
    }

    /// Row 223.
    @Test
    void gateOfSomebodyElseBlocksNothing() throws Exception {
        try (var server = GraspUnderTest.start();
                var client = server.connect()) {
            var announcement = server.announcement(ANN, "x");
            assertTaken(
                    client,
                    server.deletionAt(
                            server.now(),
                            BOB,
                            List.of(List.of("e", announcement.id().toHex()), List.of("a", coordinate(ANN, "x")))));
            assertHeld(client, announcement);
        }
    }

    /// Row 224, P-267.
    @Test
    void whoDisrespectsDeletionsStillLetsHeldEventsGo() throws Exception {
        try (var server = GraspUnderTest.start("DELETION_REQUEST_DISRESPECTOR", "true");
                var client = server.connect()) {
            var gate = server.deletion(7, server.announcement(7, "x"));
            assertTaken(client, gate);
            assertEquals(0, server.rows(Table.GATES));
            assertHeld(client, server.announcement(7, "x"));
            var served = server.serve(server.announcement(ANN, "x"));
            var held = server.announcement(ANN, "y");
            assertHeld(client, held);
            var request = server.deletion(ANN, served, held);
            assertTaken(client, request);
            server.sweep();
            assertTrue(server.isServed(request));
            assertTrue(server.isServed(served));
            assertEquals(200, server.gitStatus(ANN, "x"));
            assertFalse(server.isHeld(held));
            assertEquals(404, server.gitStatus(ANN, "y"));
            assertHeld(client, held);
        }
    }

    /// A gate becomes ordinary when its author has something here.
    @Test
    void gateIsServedOnceItsAuthorHasSomethingHere() throws Exception {
        try (var server = GraspUnderTest.start();
                var client = server.connect()) {
            var gate = server.deletion(ANN, server.announcement(ANN, "y"));
            assertTaken(client, gate);
            assertHeld(client, server.announcement(ANN, "x"));
            assertTrue(server.isServed(gate));
        }
    }

    /// README I-10: what was deleted does not come back through a stranger's copy or a restart.
    @Test
    void deletedHeldEventsNeverComeBack(@TempDir Path directory) throws Exception {
        var clock = new GraspUnderTest.Clock();
        Event announcement;
        try (var server = GraspUnderTest.start(directory, clock);
                var client = server.connect()) {
            announcement = server.announcement(ANN, "x");
            assertHeld(client, announcement);
            assertTaken(client, server.deletion(ANN, announcement));
        }
        clock.advance(Duration.ofDays(100));
        try (var server = GraspUnderTest.start(directory, clock);
                var client = server.connect()) {
            assertAnswer(client, announcement, false, DELETED);
            assertEquals(DELETED, server.sync(announcement).message());
            assertEquals(0, server.onDisk());
            assertFalse(server.purgatory()
                    .of(GraspUnderTest.address(ANN, "x").identifier())
                    .findAnnounced(StoreSamples.author(ANN))
                    .isPresent());
        }
    }
}
