package dev.grapnel.server;

import static dev.grapnel.server.GraspUnderTest.coordinate;
import static dev.grapnel.server.Replies.assertAnswer;
import static dev.grapnel.server.Replies.assertHeld;
import static dev.grapnel.server.Replies.assertTaken;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.store.StoreSamples;
import dev.grapnel.store.row.Held;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// What must wait is acknowledged and kept, and seen by nobody. Numbers are rows of purgatory 11.
final class HeldEventsTest extends GraspWireTest {
    private static final int ANN = 1;
    private static final int BOB = 2;
    private static final int CAROL = 3;

    private Event update(int author, Event request, List<String> target) {
        return server.event(
                author,
                Kinds.PULL_REQUEST_UPDATE,
                target,
                List.of("c", "3".repeat(40)),
                List.of("E", request.id().toHex()));
    }

    /// Row 1.
    @Test
    void newAnnouncementIsHeldAndHasAnEmptyRepositoryAtOnce() throws Exception {
        assertEquals(404, server.gitStatus(ANN, "x"));
        assertHeld(client, server.announcement(ANN, "x"));
        assertEquals(200, server.gitStatus(ANN, "x"));
        assertEquals(1, server.onDisk());
    }

    /// Row 2.
    @Test
    void statesPullRequestsAndUpdatesAreHeldWithTheSameWords() throws Exception {
        assertHeld(client, server.announcement(ANN, "x"));
        assertHeld(client, server.state(ANN, "x"));
        var request = server.pullRequest(CAROL, ANN, "x");
        assertHeld(client, request);
        assertHeld(client, update(CAROL, request, List.of("a", coordinate(ANN, "x"))));
    }

    /// Row 3, README I-1.
    @Test
    void heldEventsAreSeenByNobody() throws Exception {
        try (var listener = server.connect()) {
            listener.subscribe("all", "{}");
            var announcement = server.announcement(ANN, "x");
            var request = server.pullRequest(CAROL, ANN, "x");
            var events = List.of(announcement, server.state(ANN, "x"), request);
            for (var event : events) {
                assertHeld(client, event);
            }
            for (var event : events) {
                for (var filter : List.of(
                        "{\"ids\":[\"" + event.id() + "\"]}",
                        "{\"kinds\":[" + event.kind() + "]}",
                        "{\"authors\":[\"" + event.author() + "\"]}",
                        "{\"#d\":[\"x\"]}",
                        "{\"#a\":[\"" + coordinate(ANN, "x") + "\"]}",
                        "{}")) {
                    assertEquals(List.of(), client.query(filter), filter);
                    assertEquals(
                            "[\"COUNT\",\"c\",{\"count\":0}]", client.ask("[\"COUNT\",\"c\"," + filter + "]"), filter);
                }
            }
            // asked for all ids, it names none
            assertEquals("[\"NEG-MSG\",\"n\",\"6100000200\"]", client.ask("[\"NEG-OPEN\",\"n\",{},\"6100000200\"]"));
            listener.expectNothing();
        }
    }

    /// Row 4.
    @Test
    void ownersOfOneIdentifierHaveEntriesOfTheirOwn() throws Exception {
        var anns = server.announcement(ANN, "x");
        var bobs = server.announcement(BOB, "x");
        assertHeld(client, anns);
        assertHeld(client, bobs);
        assertTaken(client, server.deletion(ANN, anns));
        server.sweep();
        assertFalse(server.isHeld(anns));
        assertTrue(server.isHeld(bobs));
        assertEquals(404, server.gitStatus(ANN, "x"));
        assertEquals(200, server.gitStatus(BOB, "x"));
    }

    /// Row 6.
    @Test
    void syncNeedNotFetchWhatIsHeldExpiredOrAGate() throws Exception {
        var announcement = server.announcement(ANN, "x");
        var state = server.state(ANN, "x");
        var request = server.pullRequest(CAROL, ANN, "x");
        for (var event : List.of(announcement, state, request)) {
            assertHeld(client, event);
        }
        var gate = server.deletion(7, server.event(7, 1));
        assertTaken(client, gate);
        assertEquals(Set.of(announcement.id(), state.id(), request.id(), gate.id()), knownIds());
        server.pass(Duration.ofMinutes(31));
        assertTrue(server.expired(state).isPresent());
        assertEquals(Set.of(announcement.id(), state.id(), request.id(), gate.id()), knownIds());
        lift(state);
        assertEquals(Set.of(announcement.id(), request.id(), gate.id()), knownIds());
        assertFalse(server.purgatory().knows(state.id()));
        assertTrue(server.purgatory().knows(request.id()));
        assertTrue(server.purgatory().knows(gate.id()));
    }

    private Set<EventId> knownIds() {
        var ids = new HashSet<EventId>();
        server.purgatory().forEachKnownId(ids::add);
        return ids;
    }

    private void lift(Event event) {
        var row = server.expired(event).orElseThrow().revived();
        server.write(transaction -> {
            transaction.put(row);
            return true;
        });
    }

    /// Row 7.
    @Test
    void onlyStatesAndPullRequestsArePending() throws Exception {
        for (var identifier : List.of("x", "y", "z")) {
            assertHeld(client, server.announcement(ANN, identifier));
        }
        assertHeld(client, server.state(ANN, "x"));
        assertHeld(client, server.pullRequest(CAROL, ANN, "y"));
        assertTrue(server.purgatory().hasPending(new Identifier("x")));
        assertTrue(server.purgatory().hasPending(new Identifier("y")));
        assertFalse(server.purgatory().hasPending(new Identifier("z")));
        assertFalse(server.purgatory().hasPending(new Identifier("other")));
    }

    /// Row 8.
    @Test
    void identifiersMayContainColons() throws Exception {
        assertHeld(client, server.announcement(ANN, "a:b"));
        var request = server.pullRequest(CAROL, ANN, "a:b");
        assertHeld(client, request);
        assertEquals(List.of(new Identifier("a:b")), server.held(request).identifiers());
    }

    /// Row 9.
    @Test
    void pullRequestOfTwoIdentifiersIsFoundUnderBoth() throws Exception {
        assertHeld(client, server.announcement(ANN, "x"));
        var request = server.event(
                CAROL,
                Kinds.PULL_REQUEST,
                List.of("a", coordinate(ANN, "x")),
                List.of("a", coordinate(BOB, "y")),
                List.of("c", "2".repeat(40)));
        assertHeld(client, request);
        for (var identifier : List.of("x", "y")) {
            var waiting = server.purgatory().of(new Identifier(identifier)).proposals();
            assertEquals(
                    List.of(request.id()),
                    waiting.stream().map(found -> found.id()).toList());
        }
        assertEquals(1, server.purgatory().proposalCount());
    }

    /// Row 10.
    @Test
    void patchesNeverWaitAndUpdatesDo() throws Exception {
        server.serve(server.announcement(ANN, "x"));
        var patch = server.event(CAROL, 1617, List.of("a", coordinate(ANN, "x")), List.of("c", "2".repeat(40)));
        assertTaken(client, patch);
        assertTrue(server.isServed(patch));
        assertHeld(client, update(CAROL, patch, List.of("a", coordinate(ANN, "x"))));
    }

    /// Service 4.6.2.
    @Test
    void updateThatNamesNoRepositoryHasThoseOfItsPullRequest() throws Exception {
        assertHeld(client, server.announcement(ANN, "x"));
        var request = server.pullRequest(CAROL, ANN, "x");
        assertAnswer(client, update(CAROL, request, List.of("t", "x")), false, "invalid: no repository named");
        assertHeld(client, request);
        assertHeld(client, update(CAROL, request, List.of("t", "x")));
        assertAnswer(
                client,
                server.event(CAROL, Kinds.PULL_REQUEST, List.of("c", "2".repeat(40))),
                false,
                "invalid: no repository named");
    }

    /// As far back as anybody would go; whoever builds longer chains names the repository again.
    @Test
    void updateOfAnUpdateHasTheRepositoriesOfThePullRequest() throws Exception {
        assertHeld(client, server.announcement(ANN, "x"));
        var last = server.pullRequest(CAROL, ANN, "x");
        assertHeld(client, last);
        for (int i = 0; i < 16; i++) {
            var update = server.event(
                    CAROL,
                    1619,
                    List.of("E", last.id().toHex()),
                    List.of("c", "3".repeat(40)),
                    List.of("n", Integer.toString(i)));
            assertHeld(client, update);
            last = update;
        }
        assertAnswer(
                client,
                server.event(CAROL, 1619, List.of("E", last.id().toHex()), List.of("c", "3".repeat(40))),
                false,
                "invalid: no repository named");
    }

    /// Row 17.
    @Test
    void repeatingAHeldEventChangesNothing() throws Exception {
        var announcement = server.announcement(ANN, "x");
        var state = server.state(ANN, "x");
        var request = server.pullRequest(CAROL, ANN, "x");
        for (var event : List.of(announcement, state, request)) {
            assertHeld(client, event);
        }
        var rows = List.of(server.held(announcement), server.held(state), server.held(request));
        server.clock().advance(Duration.ofMinutes(5));
        for (var event : List.of(announcement, state, request)) {
            assertAnswer(client, event, true, "duplicate: in purgatory");
        }
        assertEquals(rows, List.<Held>of(server.held(announcement), server.held(state), server.held(request)));
        assertAnswer(
                client,
                server.announcementAt(announcement.createdAt() - 1, ANN, "x"),
                false,
                "duplicate: have a newer version");
    }

    /// P-132.
    @Test
    void syncIsToldTheRelaysOfHeldAnnouncements() throws Exception {
        assertHeld(client, server.announcement(ANN, "x", List.of("t", "topic")));
        var told = new ArrayList<String>();
        server.purgatory().forEachAnnouncement((repository, relays) -> told.add(repository + " " + relays));
        assertEquals(List.of("30617:" + StoreSamples.author(ANN) + ":x [wss://git.example.com]"), told);
    }
}
