package dev.grapnel.server;

import static dev.grapnel.server.GraspUnderTest.coordinate;
import static dev.grapnel.server.GraspUnderTest.maintainers;
import static dev.grapnel.server.Replies.assertHeld;
import static dev.grapnel.server.Replies.assertTaken;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.store.table.Table;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What happens to a served repository whose owner leaves or deletes it, and to what it carried (service
/// 4.4.5, 4.9.5 and 4.9.6).
final class WithdrawalTest extends GraspWireTest {
    private static final int ANN = 1;
    private static final int BOB = 2;
    private static final int CAROL = 3;

    private Event serveState(int author) throws IOException {
        return server.serve(server.state(author, "x"));
    }

    private Event servePullRequest(int owner) throws IOException {
        return server.serve(server.pullRequest(CAROL, owner, "x"));
    }

    @Test
    void withdrawnRepositoryIsReadableAndItsNewAnnouncementServed() throws Exception {
        server.serve(server.announcement(ANN, "x"));
        var state = serveState(ANN);
        var gone = server.elsewhereAt(server.now() + 1, ANN, "x");
        assertTaken(client, gone);
        assertTrue(server.isServed(gone));
        assertTrue(server.isServed(state));
        assertEquals(200, server.gitStatus(ANN, "x"));
        Replies.assertRefused(
                client,
                server.stateAt(server.now() + 2, ANN, "x", List.of("refs/heads/main", "1".repeat(40))),
                "restricted: author not authorized for this repository");
    }

    /// Counted from the first such version.
    @Test
    void withdrawnRepositoryIsDeletedAfterNinetyDaysWithWhatItCarried(@TempDir Path directory) throws Exception {
        var clock = new GraspUnderTest.Clock();
        Event state;
        Event issue;
        try (var first = GraspUnderTest.start(directory, clock);
                var speaker = first.connect()) {
            first.serve(first.announcement(ANN, "x"));
            state = first.serve(first.state(ANN, "x"));
            issue = first.event(CAROL, 1621, List.of("a", coordinate(ANN, "x")));
            assertTaken(speaker, issue);
            assertTaken(speaker, first.elsewhereAt(first.now() + 1, ANN, "x"));
            clock.advance(Duration.ofDays(50));
            assertTaken(speaker, first.elsewhere(ANN, "x"));
        }
        clock.advance(Duration.ofDays(39));
        try (var second = GraspUnderTest.start(directory, clock)) {
            assertEquals(200, second.gitStatus(ANN, "x"));
        }
        clock.advance(Duration.ofDays(2));
        try (var third = GraspUnderTest.start(directory, clock)) {
            third.sweep();
            assertEquals(404, third.gitStatus(ANN, "x"));
            assertEquals(0, third.onDisk());
            assertFalse(third.isServed(state));
            assertTrue(third.isServed(issue));
            assertEquals(0, third.rows(Table.REPOSITORIES));
        }
    }

    @Test
    void repositoryThatIsListedAgainIsHostedAgainWithItsData() throws Exception {
        server.serve(server.announcement(ANN, "x"));
        assertTaken(client, server.elsewhereAt(server.now() + 1, ANN, "x"));
        var back = server.announcementAt(server.now() + 2, ANN, "x");
        assertTaken(client, back);
        assertTrue(server.isServed(back));
        assertHeld(client, server.stateAt(server.now() + 3, ANN, "x", List.of("refs/heads/main", "1".repeat(40))));
    }

    /// Row 225, P-268.
    @Test
    void statesAndPullRequestsLeaveAndReturnWithTheirLastRepository() throws Exception {
        var announcement = server.serve(server.announcement(ANN, "x"));
        var state = serveState(ANN);
        var request = servePullRequest(ANN);
        var issue = server.event(CAROL, 1621, List.of("a", coordinate(ANN, "x")));
        assertTaken(client, issue);
        assertTaken(client, server.deletion(ANN, announcement));
        server.sweep();
        assertEquals(404, server.gitStatus(ANN, "x"));
        for (var event : List.of(announcement, state, request)) {
            assertFalse(server.isServed(event));
            assertFalse(server.isHeld(event));
        }
        assertTrue(server.isServed(issue));
        server.clock().advance(Duration.ofDays(80));
        var again = server.announcement(ANN, "x");
        assertTaken(client, again);
        assertEquals(200, server.gitStatus(ANN, "x"));
        for (var event : List.of(again, state, request)) {
            assertTrue(server.isServed(event));
        }
        assertEquals(0, server.rows(Table.TRASHED_EVENTS));
        assertEquals(List.of(), server.service().repositories().listTrash());
    }

    /// Updates that name no repository have it from what they update, however far back.
    @Test
    void updatesOfUpdatesLeaveAndReturnWithTheirPullRequest() throws Exception {
        var announcement = server.serve(server.announcement(ANN, "x"));
        var request = servePullRequest(ANN);
        var updates = new ArrayList<Event>();
        var last = request;
        for (int i = 0; i < 4; i++) {
            last = server.serve(server.event(
                    CAROL,
                    1619,
                    List.of("E", last.id().toHex()),
                    List.of("c", "3".repeat(40)),
                    List.of("n", Integer.toString(i))));
            updates.add(last);
        }
        assertTaken(client, server.deletion(ANN, announcement));
        server.sweep();
        for (var update : updates) {
            assertFalse(server.isServed(update));
        }
        assertTaken(client, server.announcementAt(server.now() + 1, ANN, "x"));
        for (var update : updates) {
            assertTrue(server.isServed(update));
        }
        assertEquals(0, server.rows(Table.TRASHED_EVENTS));
    }

    /// Service 4.9.6: what another repository carries stays.
    @Test
    void whatAnotherRepositoryCarriesStaysServed() throws Exception {
        var anns = server.serve(server.announcement(ANN, "x", maintainers(BOB)));
        server.serve(server.announcement(BOB, "x", maintainers(ANN)));
        var annsState = serveState(ANN);
        var bobsState = serveState(BOB);
        var request = servePullRequest(ANN);
        assertTaken(client, server.deletion(ANN, anns));
        server.sweep();
        assertEquals(404, server.gitStatus(ANN, "x"));
        assertEquals(200, server.gitStatus(BOB, "x"));
        assertFalse(server.isServed(annsState), "its author is no member any more");
        assertTrue(server.isServed(bobsState));
        assertFalse(server.isServed(request));
    }

    @Test
    void repositoriesOfOthersAreUntouched() throws Exception {
        var anns = server.serve(server.announcement(ANN, "x"));
        server.serve(server.announcement(BOB, "x"));
        var bobsState = serveState(BOB);
        assertTaken(client, server.deletion(ANN, anns));
        server.sweep();
        assertEquals(200, server.gitStatus(BOB, "x"));
        assertTrue(server.isServed(bobsState));
    }

    /// Service 4.9.8.
    @Test
    void afterARequestToVanishThereIsNoTrash() throws Exception {
        server.serve(server.announcement(ANN, "x"));
        var state = serveState(ANN);
        assertTaken(client, server.event(ANN, 62, List.of("relay", "ALL_RELAYS")));
        server.sweep();
        assertEquals(404, server.gitStatus(ANN, "x"));
        assertEquals(0, server.onDisk());
        assertEquals(List.of(), server.service().repositories().listTrash());
        assertFalse(server.isServed(state));
        assertEquals(0, server.rows(Table.TRASHED_EVENTS));
        server.clock().advance(Duration.ofMinutes(1));
        assertHeld(client, server.announcement(ANN, "x"));
    }

    /// Service 4.9.6: their authors may send them again while the repository is gone; then it is judged
    /// as new.
    @Test
    void stateInTheTrashIsJudgedAsNewWhenItComesAgain() throws Exception {
        var announcement = server.serve(server.announcement(ANN, "x"));
        var state = serveState(ANN);
        assertTaken(client, server.deletion(ANN, announcement));
        Replies.assertAnswer(client, state, false, "invalid: no announcement exists for this repository");
        assertHeld(client, server.announcement(BOB, "x", maintainers(ANN)));
        assertHeld(client, server.elsewhereAt(server.now() + 1, ANN, "x", maintainers(BOB)));
        assertHeld(client, state);
    }

    /// S11: the announcement is still here and may list the service again, so what waits goes on waiting.
    @Test
    void statesThatWaitStayWhenTheirRepositoryIsWithdrawn() throws Exception {
        server.serve(server.announcement(ANN, "x"));
        var waiting = server.stateAt(server.now() + 1, ANN, "x", List.of("refs/heads/main", "3".repeat(40)));
        Replies.assertHeld(client, waiting);
        assertTaken(client, server.elsewhereAt(server.now() + 2, ANN, "x"));
        assertTrue(server.isHeld(waiting));
    }
}
