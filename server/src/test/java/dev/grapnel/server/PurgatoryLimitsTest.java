package dev.grapnel.server;

import static dev.grapnel.server.GraspUnderTest.maintainers;
import static dev.grapnel.server.Replies.assertAnswer;
import static dev.grapnel.server.Replies.assertHeld;
import static dev.grapnel.server.Replies.assertTaken;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.grapnel.nostr.Refusal;
import dev.grapnel.nostr.Refusal.Prefix;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.purgatory.Admitted;
import dev.grapnel.purgatory.Cause;
import dev.grapnel.store.row.Held;
import dev.grapnel.store.row.HeldAnnouncement;
import dev.grapnel.store.row.HeldAnnouncement.Phase;
import dev.grapnel.store.row.HeldState;
import dev.grapnel.store.row.Source;
import java.time.Duration;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// What a full purgatory says (purgatory P-140, row 15 of its section 11).
final class PurgatoryLimitsTest {
    private static final int ANN = 1;
    private static final int BOB = 2;
    private static final String FULL = "rate-limited: purgatory is full";
    private static final Admitted TOLD =
            new Admitted.Refused(new Refusal(Prefix.RATE_LIMITED, "purgatory is full"), Cause.TRANSIENT);
    private static final String HELD = "purgatory: won't be served until git data arrives";

    /// Row 15.
    @Test
    void announcementTooManyIsRefusedAndCreatesNoDirectory() throws Exception {
        try (var server = GraspUnderTest.start("PURGATORY_MAX_ANNOUNCEMENTS", "3");
                var client = server.connect()) {
            for (int i = 0; i < 3; i++) {
                assertHeld(client, server.announcement(10 + i, "x"));
            }
            assertAnswer(client, server.announcement(20, "x"), false, FULL);
            assertEquals(FULL, server.sync(server.announcement(20, "x")).message());
            assertEquals(3, server.onDisk());
            assertEquals(404, server.gitStatus(20, "x"));
            assertHeld(client, server.announcementAt(server.now() + 1, 10, "x"));
            server.serve(server.announcement(11, "x"));
            assertHeld(client, server.announcement(20, "x"));
        }
    }

    /// Other relays take three quarters at most, so that whoever publishes here finds room.
    @Test
    void announcementsOfOtherRelaysLeaveRoom() throws Exception {
        try (var server = GraspUnderTest.start("PURGATORY_MAX_ANNOUNCEMENTS", "4");
                var client = server.connect()) {
            for (int i = 0; i < 3; i++) {
                assertEquals(HELD, server.sync(server.announcement(10 + i, "x")).message());
            }
            var late = server.announcement(20, "x");
            assertEquals(TOLD, server.sync(late));
            assertEquals(
                    HELD,
                    server.sync(server.announcementAt(server.now() + 1, 10, "x"))
                            .message());
            assertHeld(client, late);
            assertAnswer(client, server.announcement(21, "x"), false, FULL);
        }
    }

    @Test
    void statesOfOtherRelaysLeaveRoom() throws Exception {
        try (var server = GraspUnderTest.start("PURGATORY_MAX_STATES", "4");
                var client = server.connect()) {
            for (int person = 10; person < 15; person++) {
                assertHeld(client, server.announcement(person, "x"));
            }
            for (int person = 10; person < 13; person++) {
                assertEquals(HELD, server.sync(server.state(person, "x")).message());
            }
            var late = server.state(13, "x");
            assertEquals(TOLD, server.sync(late));
            assertHeld(client, late);
            assertAnswer(client, server.state(14, "x"), false, FULL);
        }
    }

    @Test
    void pullRequestsOfOtherRelaysLeaveRoom() throws Exception {
        try (var server = GraspUnderTest.start("PURGATORY_MAX_PRS", "4");
                var client = server.connect()) {
            assertHeld(client, server.announcement(ANN, "x"));
            for (int person = 10; person < 13; person++) {
                assertEquals(
                        HELD, server.sync(server.pullRequest(person, ANN, "x")).message());
            }
            var late = server.pullRequest(13, ANN, "x");
            assertEquals(TOLD, server.sync(late));
            assertHeld(client, late);
            assertAnswer(client, server.pullRequest(14, ANN, "x"), false, FULL);
        }
    }

    /// References count as well, and soft-expired ones.
    @Test
    void referencesAndSoftExpiredAnnouncementsCount() throws Exception {
        try (var server = GraspUnderTest.start("PURGATORY_MAX_ANNOUNCEMENTS", "2");
                var client = server.connect()) {
            assertHeld(client, server.announcement(ANN, "x", maintainers(BOB)));
            assertHeld(client, server.elsewhere(BOB, "x"));
            assertAnswer(client, server.announcement(20, "x"), false, FULL);
            server.pass(Duration.ofMinutes(30));
            assertAnswer(client, server.announcement(20, "x"), false, FULL);
        }
    }

    @Test
    void announcementTooManyOfOneAuthorIsRefusedAndThoseOfOthersAreNot() throws Exception {
        try (var server = GraspUnderTest.start();
                var client = server.connect()) {
            for (int i = 0; i < 100; i++) {
                assertHeld(client, server.announcement(ANN, "x" + i));
            }
            assertAnswer(client, server.announcement(ANN, "y"), false, FULL);
            assertEquals(100, server.onDisk());
            assertHeld(client, server.announcement(BOB, "y"));
            assertHeld(client, server.announcementAt(server.now() + 1, ANN, "x0"));
        }
    }

    @Test
    void stateTooManyIsRefusedAndChangesNothing() throws Exception {
        try (var server = GraspUnderTest.start("PURGATORY_MAX_STATES", "2");
                var client = server.connect()) {
            for (int person : new int[] {ANN, BOB, 5}) {
                assertHeld(client, server.announcement(person, "x"));
            }
            assertHeld(client, server.state(ANN, "x"));
            assertHeld(client, server.state(BOB, "x"));
            server.clock().advance(Duration.ofMinutes(5));
            var refused = server.state(5, "x");
            assertAnswer(client, refused, false, FULL);
            assertEquals(2, server.purgatory().counts().states());
        }
    }

    /// A refused state gives no time.
    @Test
    void refusedStateProlongsNothing() throws Exception {
        try (var server = GraspUnderTest.start("PURGATORY_MAX_STATES", "1");
                var client = server.connect()) {
            var anns = server.announcement(ANN, "x");
            assertHeld(client, anns);
            assertHeld(client, server.announcement(BOB, "y"));
            assertHeld(client, server.state(BOB, "y"));
            server.clock().advance(Duration.ofMinutes(5));
            assertAnswer(client, server.state(ANN, "x"), false, FULL);
            assertEquals(Duration.ofMinutes(25), server.left(anns));
        }
    }

    /// A full author makes room of its own, also when the whole store is full.
    @Test
    void fullAuthorReplacesItsOldestStateInAFullStore() throws Exception {
        try (var server = GraspUnderTest.start("PURGATORY_MAX_STATES", "2", "PURGATORY_MAX_STATES_PER_AUTHOR", "2");
                var client = server.connect()) {
            assertHeld(client, server.announcement(ANN, "x"));
            var first = server.stateAt(server.now(), ANN, "x", List.of("refs/heads/a", "1".repeat(40)));
            assertHeld(client, first);
            assertHeld(client, server.stateAt(server.now() + 1, ANN, "x", List.of("refs/heads/a", "1".repeat(40))));
            assertHeld(client, server.stateAt(server.now() + 2, ANN, "x", List.of("refs/heads/a", "1".repeat(40))));
            assertFalse(server.isHeld(first));
            assertAnswer(client, first, false, FULL);
        }
    }

    @Test
    void pullRequestTooManyIsRefused() throws Exception {
        try (var server = GraspUnderTest.start("PURGATORY_MAX_PRS", "2");
                var client = server.connect()) {
            assertHeld(client, server.announcement(ANN, "x"));
            assertHeld(client, server.pullRequest(10, ANN, "x"));
            assertHeld(client, server.pullRequest(11, ANN, "x"));
            assertAnswer(client, server.pullRequest(12, ANN, "x"), false, FULL);
        }
    }

    @Test
    void pullRequestTooManyOfOneAuthorAndIdentifierIsRefused() throws Exception {
        try (var server = GraspUnderTest.start("PURGATORY_MAX_PRS_PER_AUTHOR", "2");
                var client = server.connect()) {
            assertHeld(client, server.announcement(ANN, "x"));
            assertHeld(client, server.announcement(ANN, "y"));
            for (int i = 0; i < 2; i++) {
                server.clock().advance(Duration.ofSeconds(1));
                assertHeld(client, server.pullRequest(10, ANN, "x"));
            }
            server.clock().advance(Duration.ofSeconds(1));
            assertAnswer(client, server.pullRequest(10, ANN, "x"), false, FULL);
            assertHeld(client, server.pullRequest(10, ANN, "y"));
            assertHeld(client, server.pullRequest(11, ANN, "x"));
        }
    }

    /// Updates that name no repository themselves would else be a way around the limit.
    @Test
    void updatesWithoutARepositoryOfTheirOwnCountForTheirAuthorToo() throws Exception {
        try (var server = GraspUnderTest.start("PURGATORY_MAX_PRS_PER_AUTHOR", "3");
                var client = server.connect()) {
            assertHeld(client, server.announcement(ANN, "x"));
            var request = server.pullRequest(10, ANN, "x");
            assertHeld(client, request);
            for (int i = 0; i < 4; i++) {
                var update = server.event(
                        11,
                        Kinds.PULL_REQUEST_UPDATE,
                        List.of("E", request.id().toHex()),
                        List.of("c", "%040x".formatted(i + 1)));
                if (i < 3) {
                    assertHeld(client, update);
                } else {
                    assertAnswer(client, update, false, FULL);
                }
            }
        }
    }

    /// Whom announcements name is kept in memory. Few names are always taken: nobody can keep others out.
    @Test
    void announcementsOfOneIdentifierNameAHundredThousandTogether() throws Exception {
        try (var server = GraspUnderTest.start();
                var client = server.connect()) {
            server.serve(server.announcement(ANN, "x", names(24_984)));
            for (int author = 10; author < 13; author++) {
                assertHeld(client, server.announcement(author, "x", names(25_000)));
            }
            assertAnswer(client, server.announcement(BOB, "x", names(17)), false, FULL);
            assertEquals(4, server.onDisk());
            assertHeld(client, server.announcement(BOB, "x", names(16)));
            assertHeld(client, server.announcement(BOB, "y", names(17)));
        }
    }

    /// Also of those whose repository is served; what an announcement replaces does not count against it.
    @Test
    void newerVersionMayNameAsManyAsItsPredecessorButNotMoreThanThereIsRoomFor() throws Exception {
        try (var server = GraspUnderTest.start();
                var client = server.connect()) {
            server.serve(server.announcement(ANN, "x", names(25_000)));
            server.serve(server.announcement(BOB, "x"));
            for (int author = 10; author < 13; author++) {
                assertHeld(client, server.announcement(author, "x", names(25_000)));
            }
            long next = server.now() + 1;
            assertAnswer(client, server.announcementAt(next, BOB, "x", names(17)), false, FULL);
            assertAnswer(client, server.elsewhereAt(next, BOB, "x", names(17)), false, FULL);
            assertTaken(client, server.announcementAt(next, ANN, "x", names(25_000)));
            assertHeld(client, server.announcementAt(next, 10, "x", names(25_000)));
            assertTaken(client, server.elsewhereAt(next, BOB, "x", names(16)));
        }
    }

    private static List<String> names(int count) {
        return Stream.concat(
                        Stream.of("maintainers"), IntStream.range(0, count).mapToObj(i -> "%064x".formatted(i + 1)))
                .toList();
    }

    /// The numbers of the specification, with rows that came some other way.
    @Test
    void defaultNumberOfAnnouncementsIsThatOfTheSpecification() throws Exception {
        try (var server = GraspUnderTest.start();
                var client = server.connect()) {
            assertHeld(client, server.announcement(ANN, "x"));
            var now = server.clock().instant();
            var end = now.plus(Duration.ofMinutes(30));
            fill(server, 10_000 - 1, i -> {
                var event = server.announcement(1000 + (i / 100), "y" + i);
                return new HeldAnnouncement(event, now, end, Source.SYNC, Phase.SOFT_EXPIRED);
            });
            assertAnswer(client, server.announcement(BOB, "x"), false, FULL);
            assertEquals(1, server.onDisk());
        }
    }

    private static void fill(GraspUnderTest server, int count, IntFunction<Held> rows) {
        int chunk = 500;
        for (int from = 0; from < count; from += chunk) {
            // signing takes most of the time
            var some = IntStream.range(from, Math.min(count, from + chunk))
                    .parallel()
                    .mapToObj(rows)
                    .toList();
            server.write(transaction -> {
                some.forEach(transaction::hold);
                return true;
            });
        }
    }

    /// With a few thousand identifiers, so that no author has too many.
    @Test
    void defaultNumberOfStatesIsThatOfTheSpecification() throws Exception {
        try (var server = GraspUnderTest.start();
                var client = server.connect()) {
            assertHeld(client, server.announcement(ANN, "x"));
            var now = server.clock().instant();
            var end = now.plus(Duration.ofMinutes(30));
            fill(server, 50_000 - 1, i -> {
                var refs = List.of("refs/heads/main", "%040x".formatted(i + 1));
                return new HeldState(server.stateAt(server.now(), BOB, "s" + (i / 10), refs), now, end, Source.SYNC);
            });
            assertHeld(client, server.state(ANN, "x"));
            assertAnswer(
                    client,
                    server.stateAt(server.now() + 1, ANN, "x", List.of("refs/heads/main", "2".repeat(40))),
                    false,
                    FULL);
        }
    }
}
