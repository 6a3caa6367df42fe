package dev.grapnel.server;

import static dev.grapnel.server.GraspUnderTest.coordinate;
import static dev.grapnel.server.GraspUnderTest.maintainers;
import static dev.grapnel.server.Replies.assertAnswer;
import static dev.grapnel.server.Replies.assertHeld;
import static dev.grapnel.server.Replies.assertTaken;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.store.StoreSamples;
import dev.grapnel.store.row.HeldAnnouncement.Phase;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What leaves when its author deletes, withdraws, vanishes or is banned, and what stays. Numbers are rows
/// of purgatory 11.
final class DepartureTest extends GraspWireTest {
    private static final int ANN = 1;
    private static final int BOB = 2;
    private static final int CAROL = 3;

    private Event heldAnnouncement(int author) throws IOException {
        var announcement = server.announcement(author, "x");
        assertHeld(client, announcement);
        return announcement;
    }

    private void assertGone(int owner, Event announcement) throws Exception {
        server.sweep();
        assertFalse(server.isHeld(announcement));
        assertEquals(404, server.gitStatus(owner, "x"));
        assertFalse(server.isOnDisk(owner, "x"));
    }

    /// Row 31.
    @Test
    void deletionByIdRemovesEntryAndRepository() throws Exception {
        var announcement = heldAnnouncement(ANN);
        var request = server.deletion(ANN, announcement);
        assertTaken(client, request);
        assertGone(ANN, announcement);
        assertTrue(server.isServed(request));
    }

    /// Row 31.
    @Test
    void deletionByCoordinateRemovesEntryAndRepository() throws Exception {
        var announcement = heldAnnouncement(ANN);
        assertTaken(client, server.deletionAt(server.now(), ANN, List.of(List.of("a", coordinate(ANN, "x")))));
        assertGone(ANN, announcement);
    }

    /// Row 31.
    @Test
    void deletionBySomebodyElseOrOlderThanTheEntryRemovesNothing() throws Exception {
        server.clock().advance(Duration.ofMinutes(1));
        var announcement = heldAnnouncement(ANN);
        heldAnnouncement(BOB);
        var target = List.of(
                List.of("a", coordinate(ANN, "x")),
                List.of("e", announcement.id().toHex()));
        var bobs = server.deletionAt(server.now(), BOB, target);
        assertTaken(client, bobs);
        assertTrue(server.isServed(bobs));
        assertTaken(client, server.deletionAt(server.now() - 1, ANN, target.subList(0, 1)));
        server.sweep();
        assertTrue(server.isHeld(announcement));
        assertEquals(200, server.gitStatus(ANN, "x"));
    }

    /// Row 32.
    @Test
    void newerAnnouncementWithoutThisServiceRemovesEntryAndRepository() throws Exception {
        server.clock().advance(Duration.ofMinutes(1));
        var announcement = heldAnnouncement(ANN);
        assertAnswer(client, server.elsewhereAt(server.now() - 1, ANN, "x"), false, "duplicate: have a newer version");
        assertTrue(server.isHeld(announcement));
        var newer = server.elsewhereAt(server.now() + 1, ANN, "x");
        assertAnswer(client, newer, false, "blocked: announcement no longer lists this service");
        assertGone(ANN, announcement);
        assertFalse(server.isHeld(newer));
    }

    /// Row 33, P-230, README I-14.
    @Test
    void onlyStatesNobodyElseAuthorisesLeaveWithAnAnnouncement() throws Exception {
        var anns = server.announcement(ANN, "x", maintainers(CAROL));
        var carols = server.elsewhere(CAROL, "x", maintainers(ANN));
        var bobs = server.announcement(BOB, "x");
        for (var event : List.of(anns, carols, bobs)) {
            assertHeld(client, event);
        }
        var states = List.of(server.state(ANN, "x"), server.state(CAROL, "x"), server.state(BOB, "x"));
        for (var state : states) {
            assertHeld(client, state);
        }
        assertTaken(client, server.deletion(ANN, anns));
        assertFalse(server.isHeld(states.get(0)));
        assertFalse(server.isHeld(states.get(1)));
        assertTrue(server.isHeld(states.get(2)));
        assertFalse(server.isHeld(carols), "a reference leaves with the last that names its author");
    }

    /// Row 33: a served announcement that authorises the author keeps its states waiting.
    @Test
    void statesThatAServedAnnouncementAuthorisesStay() throws Exception {
        server.serve(server.announcement(BOB, "x", maintainers(ANN)));
        var anns = server.announcement(ANN, "x", maintainers(BOB));
        assertHeld(client, anns);
        var state = server.state(ANN, "x");
        assertHeld(client, state);
        assertAnswer(client, server.elsewhereAt(server.now() + 1, ANN, "x", maintainers(BOB)), true, "");
        assertGone(ANN, anns);
        assertTrue(server.isHeld(state), "its author is confirmed by the reference that took its place");
        assertEquals(200, server.gitStatus(BOB, "x"));
    }

    /// P-265.
    @Test
    void requestToVanishRemovesWhatIsHeldUpToItsDate() throws Exception {
        var announcement = heldAnnouncement(ANN);
        var state = server.state(ANN, "x");
        assertHeld(client, state);
        var bobs = heldAnnouncement(BOB);
        server.clock().advance(Duration.ofMinutes(1));
        assertTaken(client, server.event(ANN, 62, List.of("relay", "ALL_RELAYS")));
        assertGone(ANN, announcement);
        assertFalse(server.isHeld(state));
        assertTrue(server.isHeld(bobs));
        server.clock().advance(Duration.ofMinutes(1));
        assertHeld(client, server.announcement(ANN, "x"));
    }

    /// P-265.
    @Test
    void banRemovesWhatIsHeldAndTakesRepositoriesOffline() throws Exception {
        var held = heldAnnouncement(ANN);
        server.serve(server.announcement(ANN, "y"));
        server.purgatory().ban(StoreSamples.author(ANN), "spam");
        assertGone(ANN, held);
        assertEquals(404, server.gitStatus(ANN, "y"));
        assertEquals(1, server.service().repositories().listTrash().size());
        Replies.assertRefused(client, server.announcement(ANN, "z"), "blocked: ");
        assertEquals(0, server.onDisk());
    }

    /// Row 38, P-214.
    @Test
    void announcementOfSomebodyNamedIsKeptAsReferenceWithoutRepository() throws Exception {
        server.serve(server.announcement(ANN, "x", maintainers(BOB)));
        var bobs = server.elsewhere(BOB, "x", maintainers(ANN));
        assertTaken(client, bobs);
        assertEquals(List.of(bobs.id()), client.query("{\"ids\":[\"" + bobs.id() + "\"]}"));
        assertEquals(404, server.gitStatus(BOB, "x"));
        assertEquals(1, server.onDisk());
    }

    /// Service 4.4.4: moderators, too.
    @Test
    void announcementOfAModeratorIsKeptAsReference() throws Exception {
        server.serve(server.announcement(
                ANN, "x", List.of("o", StoreSamples.author(BOB).toHex())));
        assertTaken(client, server.elsewhere(BOB, "x"));
        var ended = List.of("o", StoreSamples.author(CAROL).toHex(), "100", "200");
        server.serve(server.announcement(BOB, "y", ended));
        Replies.assertRefused(client, server.elsewhere(CAROL, "y"), "blocked: announcement must list this service");
    }

    /// Service 4.4.4: the same identifier, a different author.
    @Test
    void beingNamedUnderAnotherIdentifierOrByOneselfDoesNotCount() throws Exception {
        server.serve(server.announcement(ANN, "y", maintainers(BOB)));
        Replies.assertRefused(client, server.elsewhere(BOB, "x", maintainers(BOB)), "blocked: announcement must list");
    }

    /// Row 38.
    @Test
    void referenceNamedByHeldOnesIsHeldAndReleasedWithTheFirst() throws Exception {
        var anns = server.announcement(ANN, "x", maintainers(BOB));
        assertHeld(client, anns);
        assertHeld(client, server.announcement(CAROL, "x", maintainers(BOB)));
        var bobs = server.elsewhere(BOB, "x", maintainers(ANN));
        assertHeld(client, bobs);
        assertEquals(Phase.REFERENCE, server.phase(bobs));
        assertFalse(server.isOnDisk(BOB, "x"));
        server.serve(anns);
        assertTrue(server.isServed(bobs));
        assertFalse(server.isHeld(bobs));
    }

    /// Row 38.
    @Test
    void referenceNamedByHeldOnesIsDroppedWithTheLast() throws Exception {
        var anns = server.announcement(ANN, "x", maintainers(BOB));
        var carols = server.announcement(CAROL, "x", maintainers(BOB));
        var bobs = server.elsewhere(BOB, "x", maintainers(ANN));
        for (var event : List.of(anns, carols, bobs)) {
            assertHeld(client, event);
        }
        assertTaken(client, server.deletion(ANN, anns));
        assertTrue(server.isHeld(bobs));
        assertTaken(client, server.deletion(CAROL, carols));
        assertFalse(server.isHeld(bobs));
        assertTrue(server.expired(bobs).isEmpty());
    }

    /// Row 38, P-214: remembered if the last one expired by time, and never by a time of its own.
    @Test
    void referenceExpiresWithTheLastThatNamesIt() throws Exception {
        assertHeld(client, server.announcement(ANN, "x", maintainers(BOB)));
        var bobs = server.elsewhere(BOB, "x", maintainers(ANN));
        assertHeld(client, bobs);
        server.pass(Duration.ofMinutes(30));
        server.pass(Duration.ofHours(23));
        assertTrue(server.isHeld(bobs));
        server.pass(Duration.ofHours(1));
        assertFalse(server.isHeld(bobs));
        assertTrue(server.expired(bobs).isPresent());
        assertEquals(0, server.purgatory().counts().references());
    }

    /// Service 4.4.5: whoever had a held repository and is named by somebody becomes a reference.
    @Test
    void heldRepositoryOfSomebodyNamedBecomesAReference() throws Exception {
        assertHeld(client, server.announcement(ANN, "x", maintainers(BOB)));
        var hosted = heldAnnouncement(BOB);
        var moved = server.elsewhereAt(server.now() + 1, BOB, "x", maintainers(ANN));
        assertHeld(client, moved);
        assertGone(BOB, hosted);
        assertEquals(Phase.REFERENCE, server.phase(moved));
        var again = server.announcementAt(server.now() + 2, BOB, "x");
        assertHeld(client, again);
        assertEquals(Phase.ACTIVE, server.phase(again));
        assertEquals(200, server.gitStatus(BOB, "x"));
    }

    /// Service 4.4.5: the reference version stays served until the hosted one is.
    @Test
    void servedReferenceStaysServedWhileAHostedVersionWaits() throws Exception {
        server.serve(server.announcement(ANN, "x", maintainers(BOB)));
        var reference = server.elsewhere(BOB, "x", maintainers(ANN));
        assertTaken(client, reference);
        var hosted = server.announcementAt(server.now() + 1, BOB, "x", maintainers(ANN));
        assertHeld(client, hosted);
        assertTrue(server.isServed(reference));
        assertEquals(200, server.gitStatus(BOB, "x"));
        server.serve(hosted);
        assertTrue(server.isServed(hosted));
        assertFalse(server.isServed(reference));
    }

    /// Service 4.4.4: a newer version of one's own served reference.
    @Test
    void servedReferenceIsReplacedThoughNobodyNamesItsAuthorAnyMore() throws Exception {
        server.serve(server.announcement(ANN, "x", maintainers(BOB)));
        assertTaken(client, server.elsewhere(BOB, "x", maintainers(ANN)));
        assertTaken(client, server.announcementAt(server.now() + 1, ANN, "x"));
        assertTaken(client, server.elsewhereAt(server.now() + 2, BOB, "x", List.of("name", "moved on")));
    }

    /// References that name each other do not keep each other here, nor purgatory full for ever.
    @Test
    void referencesThatNameEachOtherLeaveWithTheLastRepository() throws Exception {
        var anns = server.announcement(ANN, "x", maintainers(BOB));
        var bobs = server.elsewhere(BOB, "x", maintainers(CAROL));
        var carols = server.elsewhere(CAROL, "x", maintainers(BOB));
        for (var event : List.of(anns, bobs, carols)) {
            assertHeld(client, event);
        }
        assertTaken(client, server.deletion(ANN, anns));
        assertFalse(server.isHeld(bobs));
        assertFalse(server.isHeld(carols));
    }

    /// Nor does anybody become one whom only those name that it named itself.
    @Test
    void whoeverWithdrawsIsNoReferenceOfItsOwnReferences() throws Exception {
        var anns = server.announcement(ANN, "x", maintainers(BOB));
        var bobs = server.elsewhere(BOB, "x", maintainers(ANN));
        assertHeld(client, anns);
        assertHeld(client, bobs);
        Replies.assertRefused(
                client,
                server.elsewhereAt(server.now() + 1, ANN, "x", maintainers(BOB)),
                "blocked: announcement no longer lists this service");
        assertFalse(server.isHeld(anns));
        assertFalse(server.isHeld(bobs));
    }
}
