package dev.grapnel.server;

import static dev.grapnel.server.GraspUnderTest.address;
import static dev.grapnel.server.GraspUnderTest.maintainers;
import static dev.grapnel.server.Replies.assertAnswer;
import static dev.grapnel.server.Replies.assertHeld;
import static dev.grapnel.server.Replies.assertTaken;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.store.row.HeldAnnouncement;
import dev.grapnel.store.row.HeldAnnouncement.Phase;
import dev.grapnel.store.row.Source;
import dev.grapnel.store.row.Standing;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// How long a held announcement lives and what becomes of its repository (purgatory 2.2). Numbers are rows
/// of purgatory 11.
final class AnnouncementLifeTest extends GraspWireTest {
    private static final int ANN = 1;
    private static final int BOB = 2;

    private static Duration minutes(long count) {
        return Duration.ofMinutes(count);
    }

    /// Row 18.
    @Test
    void newVersionOfAServedAnnouncementIsServedAtOnce() throws Exception {
        var first = server.serve(server.announcement(ANN, "x"));
        server.clock().advance(minutes(1));
        var second = server.announcement(ANN, "x", List.of("name", "other"));
        assertTaken(client, second);
        assertTrue(server.isServed(second));
        assertFalse(server.isServed(first));
        assertEquals(200, server.gitStatus(ANN, "x"));
    }

    /// Row 19.
    @Test
    void newVersionOfAHeldAnnouncementStaysHeldAndBeginsTimeAnew() throws Exception {
        var first = server.announcement(ANN, "x");
        var state = server.state(ANN, "x");
        assertHeld(client, first);
        assertHeld(client, state);
        server.clock().advance(minutes(20));
        var second = server.announcement(ANN, "x", List.of("name", "other"));
        assertHeld(client, second);
        assertFalse(server.isHeld(first));
        assertEquals(minutes(30), server.left(second));
        assertEquals(minutes(30), server.left(state));
        assertEquals(200, server.gitStatus(ANN, "x"));
        assertEquals(1, server.onDisk());
    }

    /// Row 20.
    @Test
    void olderVersionsAndHigherIdsOfOneSecondDoNotReplaceAHeldOne() throws Exception {
        var one = server.announcement(ANN, "x", List.of("name", "one"));
        var other = server.announcement(ANN, "x", List.of("name", "other"));
        var newer = one.isOlderThan(other.version()) ? other : one;
        var older = newer.equals(one) ? other : one;
        assertHeld(client, newer);
        var row = server.held(newer);
        server.clock().advance(minutes(3));
        assertAnswer(client, older, false, "duplicate: have a newer version");
        assertAnswer(
                client,
                server.announcementAt(newer.createdAt() - 1, ANN, "x"),
                false,
                "duplicate: have a newer version");
        assertEquals(row, server.held(newer));
    }

    /// Row 20: the lower id of one second is the newer version.
    @Test
    void lowerIdOfOneSecondReplacesAHeldOne() throws Exception {
        var one = server.announcement(ANN, "x", List.of("name", "one"));
        var other = server.announcement(ANN, "x", List.of("name", "other"));
        var lower = one.id().toHex().compareTo(other.id().toHex()) < 0 ? one : other;
        assertHeld(client, lower.equals(one) ? other : one);
        assertHeld(client, lower);
        assertTrue(server.isHeld(lower));
        assertEquals(1, server.purgatory().counts().active());
    }

    /// Row 21.
    @Test
    void copiesFromOtherRelaysDoNotDelayExpiry() throws Exception {
        var announcement = server.announcement(ANN, "x");
        assertHeld(client, announcement);
        for (int minute = 0; minute < 30; minute++) {
            assertEquals("duplicate: in purgatory", server.sync(announcement).message());
            server.pass(minutes(1));
        }
        assertEquals(Phase.SOFT_EXPIRED, server.phase(announcement));
    }

    /// Row 22.
    @Test
    void newStateGivesItsAnnouncementsThirtyMinutesAndARepeatedOneDoesNot() throws Exception {
        var announcement = server.announcement(ANN, "x");
        var state = server.state(ANN, "x");
        assertHeld(client, announcement);
        server.clock().advance(minutes(20));
        assertHeld(client, state);
        assertEquals(minutes(30), server.left(announcement));
        server.clock().advance(minutes(20));
        assertAnswer(client, state, true, "duplicate: in purgatory");
        assertEquals(minutes(10), server.left(announcement));
    }

    /// A7: an empty state gives nothing.
    @Test
    void emptyStateGivesItsAnnouncementNoTime() throws Exception {
        var announcement = server.announcement(ANN, "x");
        assertHeld(client, announcement);
        server.clock().advance(minutes(20));
        assertHeld(client, server.stateAt(server.now(), ANN, "x"));
        assertEquals(minutes(10), server.left(announcement));
    }

    /// Row 24.
    @Test
    void afterThirtyMinutesTheRepositoryIsGoneAndTheEventIsKept() throws Exception {
        var announcement = server.announcement(ANN, "x");
        assertHeld(client, announcement);
        server.pass(minutes(30).minusSeconds(1));
        assertEquals(Phase.ACTIVE, server.phase(announcement));
        assertEquals(200, server.gitStatus(ANN, "x"));
        server.pass(Duration.ofSeconds(1));
        assertEquals(Phase.SOFT_EXPIRED, server.phase(announcement));
        assertEquals(Duration.ofDays(1), server.left(announcement));
        assertEquals(404, server.gitStatus(ANN, "x"));
        assertEquals(0, server.onDisk());
        assertTrue(server.expired(announcement).isEmpty());
    }

    private Event softened() throws IOException {
        var announcement = server.announcement(ANN, "x");
        assertHeld(client, announcement);
        server.pass(minutes(30));
        assertEquals(Phase.SOFT_EXPIRED, server.phase(announcement));
        return announcement;
    }

    /// Row 25.
    @Test
    void aDayLaterTheAnnouncementIsForgottenButItsId() throws Exception {
        var announcement = softened();
        server.pass(Duration.ofDays(1).minusSeconds(1));
        assertTrue(server.isHeld(announcement));
        server.pass(Duration.ofSeconds(1));
        assertFalse(server.isHeld(announcement));
        assertTrue(server.expired(announcement).isPresent());
        assertAnswer(client, server.state(ANN, "x"), false, "invalid: no announcement exists for this repository");
    }

    /// Row 26.
    @Test
    void stateBringsASoftExpiredAnnouncementBack() throws Exception {
        var announcement = softened();
        server.clock().advance(Duration.ofHours(5));
        assertHeld(client, server.state(ANN, "x"));
        assertEquals(Phase.ACTIVE, server.phase(announcement));
        assertEquals(minutes(30), server.left(announcement));
        assertEquals(200, server.gitStatus(ANN, "x"));
    }

    /// S4.
    @Test
    void emptyStateDoesNotBringASoftExpiredAnnouncementBack() throws Exception {
        var announcement = softened();
        assertHeld(client, server.stateAt(server.now(), ANN, "x"));
        assertEquals(Phase.SOFT_EXPIRED, server.phase(announcement));
        assertEquals(404, server.gitStatus(ANN, "x"));
    }

    /// Row 27.
    @Test
    void newVersionBringsASoftExpiredAnnouncementBack() throws Exception {
        softened();
        var newer = server.announcement(ANN, "x", List.of("name", "other"));
        assertHeld(client, newer);
        assertEquals(Phase.ACTIVE, server.phase(newer));
        assertEquals(minutes(30), server.left(newer));
        assertEquals(200, server.gitStatus(ANN, "x"));
    }

    /// A5, A6.
    @Test
    void clientBringsASoftExpiredAnnouncementBackAndAnotherRelayDoesNot() throws Exception {
        var announcement = softened();
        assertEquals("duplicate: in purgatory", server.sync(announcement).message());
        assertEquals(Phase.SOFT_EXPIRED, server.phase(announcement));
        assertAnswer(client, announcement, true, "duplicate: in purgatory");
        assertEquals(Phase.ACTIVE, server.phase(announcement));
        assertEquals(minutes(30), server.left(announcement));
        assertEquals(200, server.gitStatus(ANN, "x"));
    }

    /// P-213: a soft-expired announcement still speaks.
    @Test
    void softExpiredAnnouncementStillNamesItsMaintainers() throws Exception {
        var anns = server.announcement(ANN, "x", maintainers(BOB));
        assertHeld(client, anns);
        assertHeld(client, server.announcement(BOB, "x", maintainers(ANN)));
        server.pass(minutes(30));
        assertEquals(Phase.SOFT_EXPIRED, server.phase(anns));
        assertHeld(client, server.state(BOB, "x"));
        assertEquals(Phase.ACTIVE, server.phase(anns));
    }

    /// Row 30.
    @Test
    void repositoryWithABranchIsNeverDeletedByExpiry() throws Exception {
        var announcement = server.announcement(ANN, "x");
        assertHeld(client, announcement);
        server.fill(address(ANN, "x"), "main");
        server.pass(minutes(31));
        assertTrue(server.isOnDisk(ANN, "x"));
        server.awaitReconciled();
        assertTrue(server.isServed(announcement), "it has what it waited for");
        server.pass(Duration.ofDays(40));
        assertTrue(server.isOnDisk(ANN, "x"));
    }

    /// Service 4.1: what is known is said before that its time is over, and nothing begins anew (P-254).
    @Test
    void heldAnnouncementWhoseTimeIsOverIsKnownUntilItIsSwept() throws Exception {
        var announcement = server.announcement(ANN, "x", List.of("expiration", String.valueOf(server.now() + 60)));
        assertTrue(server.sync(announcement).isAccepted());
        server.clock().advance(Duration.ofSeconds(61));
        var left = server.left(announcement);
        assertAnswer(client, announcement, true, "duplicate: in purgatory");
        assertEquals(left, server.left(announcement));
    }

    /// Row 34.
    @Test
    void expiredAnnouncementIsRefusedFromOtherRelaysAndTakenFromClients() throws Exception {
        var announcement = softened();
        server.pass(Duration.ofDays(1));
        var answer = server.sync(announcement);
        assertEquals("invalid: previously expired from purgatory without git data", answer.message());
        assertEquals(0, server.onDisk());
        assertHeld(client, announcement);
        assertEquals(Phase.ACTIVE, server.phase(announcement));
        assertTrue(server.expired(announcement).isEmpty());
        assertEquals(200, server.gitStatus(ANN, "x"));
    }

    /// Row 43 for announcements (A5).
    @Test
    void firstClientWhoBringsASyncedAnnouncementBeginsItsTimeAnew() throws Exception {
        var announcement = server.announcement(ANN, "x");
        assertEquals(
                "purgatory: won't be served until git data arrives",
                server.sync(announcement).message());
        assertEquals(Source.SYNC, server.held(announcement).source());
        server.clock().advance(minutes(10));
        assertAnswer(client, announcement, true, "duplicate: in purgatory");
        assertEquals(Source.DIRECT, server.held(announcement).source());
        assertEquals(minutes(30), server.left(announcement));
        server.clock().advance(minutes(10));
        assertAnswer(client, announcement, true, "duplicate: in purgatory");
        assertEquals(minutes(20), server.left(announcement));
    }

    /// Row 207, A20.
    @Test
    void expiryNeverRemovesTheRepositoryOfAServedVersion() throws Exception {
        var served = server.serve(server.announcement(ANN, "x"));
        server.clock().advance(minutes(1));
        var newer = server.announcement(ANN, "x", List.of("name", "other"));
        var now = server.clock().instant();
        server.write(transaction ->
                transaction.hold(new HeldAnnouncement(newer, now, now.plus(minutes(30)), Source.DIRECT, Phase.ACTIVE)));
        server.pass(minutes(30));
        assertFalse(server.isHeld(newer));
        assertTrue(server.expired(newer).isPresent());
        assertTrue(server.isServed(served));
        assertEquals(200, server.gitStatus(ANN, "x"));
    }

    /// The same for one that was withdrawn, whose data is still here.
    @Test
    void expiryNeverRemovesTheRepositoryOfAWithdrawnVersion() throws Exception {
        server.serve(server.announcement(ANN, "x"));
        server.clock().advance(minutes(1));
        assertTaken(client, server.elsewhere(ANN, "x"));
        server.clock().advance(minutes(1));
        var back = server.announcement(ANN, "x");
        var now = server.clock().instant();
        server.write(transaction ->
                transaction.hold(new HeldAnnouncement(back, now, now.plus(minutes(30)), Source.DIRECT, Phase.ACTIVE)));
        server.pass(minutes(30));
        assertFalse(server.isHeld(back));
        assertEquals(200, server.gitStatus(ANN, "x"));
    }

    /// Service 4.10, P-254.
    @Test
    void announcementWhoseOwnTimeIsOverLeavesWithItsRepositoryAndAuthorisesNothing() throws Exception {
        var end = server.now() + 600;
        var announcement = server.announcement(ANN, "x", List.of("expiration", Long.toString(end)));
        assertHeld(client, announcement);
        server.clock().advance(minutes(10));
        assertAnswer(client, server.state(ANN, "x"), false, "invalid: no announcement exists for this repository");
        server.sweep();
        assertFalse(server.isHeld(announcement));
        assertEquals(404, server.gitStatus(ANN, "x"));
        assertEquals(0, server.onDisk());
    }

    /// A standing of the trash is no obstacle to a new beginning.
    @Test
    void announcingAnewAfterTheTrashIsEmptyBeginsEmpty() throws Exception {
        var first = server.serve(server.announcement(ANN, "x"));
        assertTaken(client, server.deletion(ANN, first));
        server.sweep();
        server.write(transaction -> {
            transaction.put(Standing.offline(
                    address(ANN, "x"), Standing.Cause.DELETED, server.clock().instant(), Optional.empty()));
            return true;
        });
        for (var trashed : server.service().repositories().listTrash()) {
            server.service().repositories().purge(trashed);
        }
        server.clock().advance(minutes(1));
        assertHeld(client, server.announcement(ANN, "x"));
        assertEquals(200, server.gitStatus(ANN, "x"));
    }
}
