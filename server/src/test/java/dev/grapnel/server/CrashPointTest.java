package dev.grapnel.server;

import static dev.grapnel.server.CrashStory.ANN;
import static dev.grapnel.server.CrashStory.BOB;
import static dev.grapnel.server.CrashStory.IN_PURGATORY;
import static dev.grapnel.server.CrashStory.MAIN;
import static dev.grapnel.server.CrashStory.OWNERS;
import static dev.grapnel.server.CrashStory.SERVED;
import static dev.grapnel.server.CrashStory.name;
import static dev.grapnel.server.CrashStory.ref;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.store.table.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/// What the next start makes of a server that died at one of the points of purgatory 5.6: it dies there, what it
/// left is what the point means, and then the outcome is the documented one. That K6 and K7 cannot exist is looked at
/// after every death; K9 and K10 are in [PurgatoryRestartTest], K13 to K17 in [UploadCrashPointTest].
@TestInstance(TestInstance.Lifecycle.PER_CLASS) // starting a server takes longest
final class CrashPointTest {
    private static final int DAVE = 50;
    private static final String DELETED = "blocked: deletion of this event was requested by its author";
    private static final String RELEASE = "commit EVENTS\\+ .*HELD_STATES-";

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    private static Path directory;

    private CrashStory story;
    private int count;
    private String x = "";

    @BeforeAll
    void begin() throws IOException {
        story = new CrashStory(directory);
    }

    @BeforeEach
    void prepareName() throws IOException {
        story.revive();
        x = "x" + ++count;
    }

    @AfterAll
    void end() {
        story.close();
    }

    // ---- arrival

    @Test
    void k0AndK1EventIsHeldOnceItsRecordIsDurable() throws Exception {
        var announcement = story.announcement(ANN, x);
        story.doom("^before commit .*HELD_ANNOUNCEMENTS\\+");
        story.publishInVain(announcement);
        story.awaitDeath();
        assertFalse(story.inside(view -> view.isHeld(announcement.id())).booleanValue());
        assertTrue(Files.isDirectory(story.onDisk(ANN, x)), "an empty repository without announcement");
        story.restart();
        story.doom("^after commit .*HELD_ANNOUNCEMENTS\\+");
        story.publishInVain(announcement);
        story.awaitDeath();
        assertTrue(story.inside(view -> view.isHeld(announcement.id())).booleanValue());
        story.restart();
        assertEquals(IN_PURGATORY, story.publish(announcement));
        assertEquals(List.of(), query(announcement));
    }

    private List<?> query(Event event) throws IOException {
        try (var client = story.connect()) {
            return client.query("{\"ids\":[\"" + event.id() + "\"]}");
        }
    }

    // ---- release

    private record Waiting(Event ann, Event bob, Event state, Event proposal) {
        List<Event> together() {
            return List.of(ann, bob, state);
        }
    }

    private Waiting prepare(String identifier) throws IOException {
        var waiting = new Waiting(
                story.announcement(ANN, identifier),
                story.announcement(BOB, identifier),
                story.state(ANN, identifier, story.tip()),
                story.proposal(identifier, story.base()));
        story.hold(waiting.ann(), waiting.bob(), waiting.state(), waiting.proposal());
        return waiting;
    }

    /// Has the server die during a push.
    ///
    /// @return what waited for it
    private Waiting pushInVain(String identifier, String moment) throws Exception {
        var waiting = prepare(identifier);
        story.doom(moment);
        assertTrue(story.push(ANN, identifier, "main").code() != 0, "git was told that it is done");
        story.awaitDeath();
        return waiting;
    }

    /// Everything is served as soon as there is somebody to ask.
    private void assertServed(Waiting waiting, String identifier) throws IOException {
        for (var event : List.of(waiting.ann(), waiting.bob(), waiting.state(), waiting.proposal())) {
            assertEquals(SERVED, story.publish(event), event::toString);
            assertEquals(1, query(event).size());
        }
        for (int owner : OWNERS) {
            assertEquals(
                    List.of(story.tip() + " HEAD", story.tip() + " " + MAIN, story.base() + " refs/nostr/proposal"),
                    story.refs(owner, identifier, Map.of(waiting.proposal().id(), "proposal")));
        }
        story.push(ANN, identifier, "main").orFail();
        story.assertClean(identifier);
    }

    private static String refsOf(int owner, String identifier) {
        return name(owner, identifier) + "/packed-refs$";
    }

    private boolean hasMain(int owner, String identifier) {
        return story.refsOnDisk(owner, identifier).contains(story.tip() + " " + MAIN);
    }

    /// K2, with what K4 says: one of two is aligned.
    @Test
    void k2PushThatHadMovedRefsIsReleased() throws Exception {
        var waiting = pushInVain(x, "^after rename .*" + refsOf(ANN, x));
        assertTrue(hasMain(ANN, x));
        assertFalse(hasMain(BOB, x));
        assertFalse(story.areServedInside(waiting.together()));
        story.restart();
        assertServed(waiting, x);
    }

    /// K3, and a second death while the next start does the rest.
    @Test
    void k3ObjectsThatWereCopiedAreUsed() throws Exception {
        var waiting = pushInVain(x, "^before create " + name(BOB, x) + "/packed-refs.lock");
        assertTrue(story.hasObject(BOB, x, story.tip()));
        assertFalse(hasMain(BOB, x));
        story.startInVain("^after rename .*" + refsOf(BOB, x));
        assertTrue(hasMain(BOB, x));
        assertFalse(story.areServedInside(waiting.together()));
        story.restart();
        assertServed(waiting, x);
    }

    /// K4 without a push: a state arrives whose objects are here.
    @Test
    void k4OwnersThatWereNotAlignedAre() throws Exception {
        story.serve(x);
        var older = story.state(BOB, x, story.base());
        story.doom("^after rename .*" + refsOf(ANN, x));
        story.publishInVain(older);
        story.awaitDeath();
        assertFalse(hasMain(ANN, x));
        assertTrue(hasMain(BOB, x));
        assertTrue(story.inside(view -> view.isHeld(older.id())).booleanValue());
        story.restart();
        assertEquals(SERVED, story.publish(older));
        for (int owner : OWNERS) {
            assertEquals(List.of(story.base() + " HEAD", story.base() + " " + MAIN), story.refs(owner, x, Map.of()));
        }
        story.assertClean(x);
    }

    @Test
    void k5WhatWasAlignedIsReleased() throws Exception {
        var waiting = pushInVain(x, "^before " + RELEASE);
        assertTrue(hasMain(ANN, x) && hasMain(BOB, x));
        assertFalse(story.areServedInside(waiting.together()));
        story.restart();
        assertServed(waiting, x);
    }

    @Test
    void k8WhatWasCommittedIsServed() throws Exception {
        var waiting = pushInVain(x, "^after " + RELEASE);
        assertTrue(story.areServedInside(waiting.together()));
        story.restart();
        assertServed(waiting, x);
    }

    /// K5 of a pull request that waited and was pushed to its own ref: one of two repositories has it.
    @Test
    void k5PullRequestWhoseRefWasWrittenIsReleased() throws Exception {
        story.serve(x);
        var proposal = story.proposal(x, story.aside());
        story.hold(proposal);
        story.doom("^after rename .*" + refsOf(ANN, x));
        assertTrue(story.push(ANN, x, "aside:" + ref(proposal)).code() != 0, "git was told that it is done");
        story.awaitDeath();
        assertTrue(story.refsOnDisk(ANN, x).contains(story.aside() + " " + ref(proposal)));
        assertTrue(story.inside(view -> view.isHeld(proposal.id())).booleanValue());
        story.restart();
        assertEquals(SERVED, story.publish(proposal));
        for (int owner : OWNERS) {
            assertTrue(story.refs(owner, x, Map.of()).contains(story.aside() + " " + ref(proposal)));
        }
        assertEquals(0, story.push(ANN, x, "aside:" + ref(proposal)).code());
        story.assertClean(x);
    }

    // ---- what no order of steps leaves

    @Test
    void k12RefOfAPullRequestThatNobodyKnowsIsHiddenAndReported() throws Exception {
        story.serve(x);
        var proposal = story.proposal(x, story.aside());
        story.kill();
        story.git().ok(story.onDisk(ANN, x), "fetch", "--quiet", story.work().toString(), "aside:" + ref(proposal));
        story.restart();
        assertEquals(List.of(story.tip() + " HEAD", story.tip() + " " + MAIN), story.refs(ANN, x, Map.of()));
        assertFalse(story.isFetchable(ANN, x, story.aside()));
        var lines = new ArrayList<String>();
        assertEquals(1, story.check(x, lines), lines::toString);
        assertTrue(lines.getFirst().contains(proposal.id().toHex()), lines::toString);
        assertTrue(story.refsOnDisk(ANN, x).contains(story.aside() + " " + ref(proposal)), "nothing is deleted");
    }

    // ---- trash

    @Test
    void k18RefsWhoseRecordWasDurableAreRemoved() throws Exception {
        story.serve(x);
        var empty = story.emptyState(BOB, x);
        story.doom("^after commit .*TRASH\\+");
        story.publishInVain(empty);
        story.awaitDeath();
        assertEquals(1, story.inside(view -> view.count(Table.TRASH)).longValue());
        assertTrue(hasMain(ANN, x) && hasMain(BOB, x));
        story.startInVain("^after rename .*" + refsOf(ANN, x));
        assertFalse(hasMain(ANN, x));
        assertTrue(hasMain(BOB, x));
        assertEquals(1, story.inside(view -> view.count(Table.TRASH)).longValue(), "not written twice");
        story.restart();
        assertEquals(SERVED, story.publish(empty));
        assertEquals(List.of(), story.refs(ANN, x, Map.of()));
        assertEquals(List.of(), story.refs(BOB, x, Map.of()));
        story.assertClean(x);
        assertEquals(2, trash(x), "a record for each repository");
        assertEquals("", story.publish(story.state(ANN, x, story.tip())));
        assertEquals(List.of(story.tip() + " HEAD", story.tip() + " " + MAIN), story.refs(BOB, x, Map.of()));
    }

    private long trash(String identifier) {
        var lines = new ArrayList<String>();
        story.check(identifier, lines);
        return lines.stream().filter(line -> line.contains("\"trash\"")).count();
    }

    // ---- gates

    @Test
    void k19EventRefusedByAGateMakesItARequestAtOnce() throws Exception {
        var announcement = story.announcement(DAVE, x);
        var request =
                story.event(DAVE, Kinds.DELETION, List.of("e", announcement.id().toHex()));
        assertEquals("", story.publish(request));
        for (var moment : List.of("before", "after")) {
            story.doom("^" + moment + " commit .*GATES-");
            story.publishInVain(announcement);
            story.awaitDeath();
            boolean isGate = story.inside(view -> view.count(Table.GATES)).longValue() == 1;
            boolean isRequest = story.inside(view -> view.isServed(request.id()) && view.isDeleted(announcement.id()));
            assertEquals(moment.equals("before"), isGate);
            assertEquals(!isGate, isRequest);
            assertFalse(story.inside(view -> view.isHeld(announcement.id())).booleanValue());
            story.restart();
        }
        assertEquals(DELETED, story.publish(announcement));
        assertEquals(1, query(request).size());
    }
}
