package dev.grapnel.server;

import static dev.grapnel.server.GraspUnderTest.maintainers;
import static dev.grapnel.server.Replies.assertAnswer;
import static dev.grapnel.server.Replies.assertHeld;
import static dev.grapnel.server.Replies.assertTaken;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.store.StoreSamples;
import dev.grapnel.store.row.Source;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

/// How long held states live and which of them stand side by side (purgatory 2.3). Numbers are rows of
/// purgatory 11.
final class StateLifeTest extends GraspWireTest {
    private static final int ANN = 1;
    private static final int BOB = 2;
    private static final int CAROL = 3;

    private static Duration minutes(long count) {
        return Duration.ofMinutes(count);
    }

    private Event state(int author, long second, int number) {
        return server.stateAt(second, author, "x", List.of("refs/heads/main", "%040x".formatted(number + 1)));
    }

    /// Row 5.
    @RepeatedTest(3)
    void statesOfOneIdentifierStandSideBySideInAnyOrder(RepetitionInfo round) throws Exception {
        assertHeld(client, server.announcement(ANN, "x", maintainers(BOB, CAROL)));
        assertHeld(client, server.elsewhere(BOB, "x", maintainers(ANN)));
        assertHeld(client, server.elsewhere(CAROL, "x", maintainers(ANN)));
        var states = new ArrayList<>(List.of(
                state(ANN, server.now(), 1),
                state(ANN, server.now(), 2),
                state(ANN, server.now() - 5, 3),
                state(BOB, server.now(), 4),
                state(CAROL, server.now(), 5)));
        Collections.shuffle(states, new Random(round.getCurrentRepetition()));
        for (var state : states) {
            assertHeld(client, state);
        }
        assertEquals(5, server.purgatory().of(new Identifier("x")).states().size());
    }

    /// Row 5, P-112.
    @Test
    void seventeenthStateOfAnAuthorDropsThatAuthorsOldest() throws Exception {
        assertHeld(client, server.announcement(ANN, "x", maintainers(BOB)));
        assertHeld(client, server.elsewhere(BOB, "x", maintainers(ANN)));
        var bobs = state(BOB, server.now() - 100, 0);
        assertHeld(client, bobs);
        var anns = new ArrayList<Event>();
        for (int i = 0; i < 16; i++) {
            anns.add(state(ANN, server.now() - 50 + i, i));
        }
        Collections.shuffle(anns, new Random(1));
        for (var state : anns) {
            assertHeld(client, state);
        }
        anns.sort((one, other) -> Long.compare(one.createdAt(), other.createdAt()));
        var newest = state(ANN, server.now(), 17);
        assertHeld(client, newest);
        assertFalse(server.isHeld(anns.getFirst()));
        assertTrue(anns.stream().skip(1).allMatch(server::isHeld));
        assertTrue(server.isHeld(newest));
        assertTrue(server.isHeld(bobs));
        assertTrue(server.expired(anns.getFirst()).isEmpty());
        assertEquals(1.0, server.metric("purgatory_events_dropped_total{kind=\"30618\",reason=\"superseded\"}"));
    }

    /// Row 40.
    @Test
    void stateExpiresAfterThirtyMinutesAndIsRemembered() throws Exception {
        assertHeld(client, server.announcement(ANN, "x"));
        var direct = server.state(ANN, "x");
        assertHeld(client, direct);
        var synced = state(ANN, server.now() - 1, 2);
        assertTrue(server.sync(synced).isAccepted());
        server.pass(minutes(30).minusSeconds(1));
        assertTrue(server.isHeld(direct));
        try (var log = LogWatch.on("dev.grapnel.purgatory")) {
            server.pass(Duration.ofSeconds(1));
            var lines = log.lines("purgatory.expired kind=30618", 2).stream()
                    .sorted()
                    .toList();
            assertEquals(2, lines.size());
            assertTrue(lines.get(0).startsWith("DEBUG") && lines.get(0).endsWith("source=sync"), lines.get(0));
            assertTrue(lines.get(1).startsWith("WARN") && lines.get(1).endsWith("source=direct"), lines.get(1));
            assertTrue(
                    lines.get(1).contains("event=" + direct.id().toHex().substring(0, 12) + " identifier=x"),
                    lines.get(1));
        }
        assertFalse(server.isHeld(direct));
        assertTrue(server.expired(direct).orElseThrow().dormant().isPresent());
        assertTrue(server.expired(synced).orElseThrow().dormant().isEmpty(), "a newer one of its author was here");
    }

    /// Row 41.
    @Test
    void expiredStateIsRefusedFromOtherRelaysAndTakenFromClients() throws Exception {
        assertHeld(client, server.announcement(ANN, "x"));
        var state = server.state(ANN, "x");
        assertHeld(client, state);
        server.pass(minutes(30));
        assertEquals(
                "invalid: previously expired from purgatory without git data",
                server.sync(state).message());
        assertFalse(server.isHeld(state));
        assertHeld(client, state);
        assertTrue(server.expired(state).isEmpty());
        assertEquals(minutes(30), server.left(state));
    }

    /// Row 43, P-222.
    @Test
    void firstClientWhoBringsASyncedStateBeginsItsTimeAnewOnce() throws Exception {
        assertHeld(client, server.announcement(ANN, "x"));
        var state = server.state(ANN, "x");
        assertTrue(server.sync(state).isAccepted());
        server.clock().advance(minutes(20));
        assertAnswer(client, state, true, "duplicate: in purgatory");
        assertEquals(Source.DIRECT, server.held(state).source());
        assertEquals(minutes(30), server.left(state));
        server.clock().advance(minutes(20));
        assertAnswer(client, state, true, "duplicate: in purgatory");
        assertEquals("duplicate: in purgatory", server.sync(state).message());
        assertEquals(minutes(10), server.left(state));
        assertEquals(Source.DIRECT, server.held(state).source());
    }

    /// P-215: what gives a state more time gives it to its announcements, too.
    @Test
    void announcementGetsTheTimeThatARepeatedStateGets() throws Exception {
        var announcement = server.announcement(ANN, "x");
        assertHeld(client, announcement);
        var state = server.state(ANN, "x");
        assertTrue(server.sync(state).isAccepted());
        server.clock().advance(minutes(20));
        assertAnswer(client, state, true, "duplicate: in purgatory");
        assertEquals(minutes(30), server.left(announcement));
    }

    /// P-222: a copy whose signature is wrong begins nothing.
    @Test
    void forgedCopyOfASyncedStateBeginsNothing() throws Exception {
        assertHeld(client, server.announcement(ANN, "x"));
        var state = server.state(ANN, "x");
        assertTrue(server.sync(state).isAccepted());
        server.clock().advance(minutes(20));
        var forged = state.toString().replaceFirst("\"sig\":\"..", "\"sig\":\"00");
        Replies.assertRefused(client, state.id(), forged, "invalid: ");
        assertEquals(Source.SYNC, server.held(state).source());
        assertEquals(minutes(10), server.left(state));
    }

    /// Rows 45 and 46, S11: whoever is no member any more waits on, and may become one again.
    @Test
    void stateOfSomebodyWhoWasRemovedStaysHeldAndIsNotReleased() throws Exception {
        server.serve(server.announcement(ANN, "x", maintainers(BOB)));
        assertTaken(client, server.elsewhere(BOB, "x", maintainers(ANN)));
        var state = server.state(BOB, "x");
        assertHeld(client, state);
        assertTaken(client, server.announcementAt(server.now() + 1, ANN, "x"));
        assertTrue(server.isHeld(state));
        assertFalse(server.isServed(state));
        assertFalse(server.purgatory().of(new Identifier("x")).authorises(StoreSamples.author(BOB)));
        server.clock().advance(minutes(5));
        assertTaken(client, server.announcement(ANN, "x", maintainers(BOB)));
        assertTrue(server.isHeld(state));
        assertTrue(server.purgatory().of(new Identifier("x")).authorises(StoreSamples.author(BOB)));
        server.pass(minutes(25));
        assertFalse(server.isHeld(state), "it expires as usual");
    }

    /// Row 50, P-250.
    @Test
    void pinnedEventsSurviveTheirDeadlineAndAreJudgedAfterwards() throws Exception {
        var announcement = server.announcement(ANN, "x");
        assertHeld(client, announcement);
        var state = server.state(ANN, "x");
        assertHeld(client, state);
        var request = server.pullRequest(CAROL, ANN, "x");
        assertHeld(client, request);
        var pins = server.purgatory().pins();
        var second = pins.pin(state.id());
        try (var _ = pins.pin(announcement.id());
                var _ = pins.pin(state.id());
                var _ = pins.pin(request.id())) {
            second.close();
            second.close();
            server.pass(minutes(50));
            assertTrue(server.isHeld(state));
            assertTrue(server.isHeld(request));
            assertEquals(200, server.gitStatus(ANN, "x"));
        }
        server.sweep();
        assertFalse(server.isHeld(state));
        assertFalse(server.isHeld(request));
        assertEquals(404, server.gitStatus(ANN, "x"));
    }

    /// P-253.
    @Test
    void forgottenPinEndsAfterTwiceTheLongestPush() throws Exception {
        assertHeld(client, server.announcement(ANN, "x"));
        var state = server.state(ANN, "x");
        assertHeld(client, state);
        var pin = server.purgatory().pins().pin(state.id());
        server.pass(minutes(120));
        assertTrue(server.isHeld(state));
        try (var log = LogWatch.on("dev.grapnel.purgatory")) {
            server.pass(Duration.ofSeconds(1));
            assertEquals(List.of("ERROR pin forgotten by its owner event=" + state.id()), log.lines("pin", 1));
        }
        assertFalse(server.isHeld(state));
        pin.close();
    }

    /// Service 4.10: what its author gave no longer time is not remembered as expired.
    @Test
    void stateWhoseOwnTimeIsOverLeavesWithoutBeingRemembered() throws Exception {
        assertHeld(client, server.announcement(ANN, "x"));
        var state = server.stateAt(server.now(), ANN, "x", List.of("expiration", Long.toString(server.now() + 60)));
        assertHeld(client, state);
        try (var _ = server.purgatory().pins().pin(state.id())) {
            server.pass(minutes(1));
        }
        assertFalse(server.isHeld(state));
        assertTrue(server.expired(state).isEmpty());
    }

    /// R14: a line for each identifier.
    @Test
    void pullRequestExpiresAfterThirtyMinutesAndIsRemembered() throws Exception {
        assertHeld(client, server.announcement(ANN, "x"));
        assertHeld(client, server.announcement(ANN, "y"));
        var request = server.event(
                CAROL,
                1618,
                List.of("a", GraspUnderTest.coordinate(ANN, "x")),
                List.of("a", GraspUnderTest.coordinate(ANN, "y")),
                List.of("c", "2".repeat(40)));
        assertHeld(client, request);
        try (var log = LogWatch.on("dev.grapnel.purgatory")) {
            server.pass(minutes(30));
            assertEquals(2, log.lines("purgatory.expired kind=1618", 2).size());
        }
        assertFalse(server.isHeld(request));
        assertTrue(server.expired(request).orElseThrow().dormant().isPresent());
        assertEquals(
                "invalid: previously expired from purgatory without git data",
                server.sync(request).message());
        assertHeld(client, request);
    }
}
