package dev.grapnel.server;

import static dev.grapnel.server.GraspUnderTest.coordinate;
import static dev.grapnel.server.PushStory.ANN;
import static dev.grapnel.server.PushStory.BOB;
import static dev.grapnel.server.PushStory.CAROL;
import static dev.grapnel.server.PushStory.ref;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.outbound.PlainHttp;
import dev.grapnel.purgatory.Admitted;
import dev.grapnel.store.table.Table;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What nobody has signed is accounted for, hidden, and gone without a trace (service 6.4, purgatory P-240 to P-248).
/// Numbers are rows of purgatory 11.
final class UnsignedUploadTest {
    private static final String X = "x";

    @TempDir
    Path directory = Path.of("");

    private PushStory story;

    @BeforeEach
    void begin() throws IOException {
        story = new PushStory(directory);
    }

    @AfterEach
    void end() {
        story.close();
    }

    private Event proposal(String commit) {
        return story.proposal(CAROL, commit, coordinate(ANN, X));
    }

    /// Row 189.
    @Test
    void uploadIsNeitherShownNorFetchableNorOfferedNorInAnyRepository() throws Exception {
        story.serve(ANN, X);
        story.serve(BOB, X);
        var commit = story.aside("pr");
        var event = proposal(commit);
        var before = story.refs(ANN, X);
        story.propose("pr", event, ANN, X).orFail();
        assertEquals(before, story.refs(ANN, X));
        for (var owner : List.of(ANN, BOB)) {
            assertFalse(story.has(owner, X, commit));
            assertFalse(offered(owner).contains(commit), "offered as a base for pushes");
            for (var version : List.of("0", "2")) {
                var elsewhere = story.git().init("fetch" + owner + version);
                var fetched = story.git()
                        .run(elsewhere, "-c", "protocol.version=" + version, "fetch", story.url(owner, X), commit);
                assertNotEquals(0, fetched.code(), "fetched in version " + version);
            }
        }
    }

    /// What clients read before they push.
    private String offered(int owner) throws IOException, InterruptedException {
        var uri = URI.create(story.url(owner, X) + "/info/refs?service=git-receive-pack");
        try (var client = PlainHttp.client()) {
            return client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
                    .body();
        }
    }

    /// P-245: whoever rests on an upload must bring it again.
    @Test
    void uploadIsNoBaseForAnotherPush() throws IOException {
        story.serve(ANN, X);
        story.git().ok(story.work(), "checkout", "--quiet", "-b", "pr");
        var below = story.commit("below");
        story.propose("pr", proposal(below), ANN, X).orFail();
        var above = story.commit("above");
        var other = proposal(above);
        try (var push = half(other, above, HalfPush.pack(story, above, below))) {
            assertTrue(push.finish().contains("missing"));
        }
        Gauges.awaitThat("one upload", () -> story.server().rows(Table.PLACEHOLDERS) == 1);
        assertEquals(1, story.areas().size());
    }

    private HalfPush half(Event event, String commit, byte[] pack) throws IOException {
        return new HalfPush(story.url(ANN, X), "", ref(event), commit, pack);
    }

    /// Row 190, as far as it can be seen from outside: nothing of the pack was sent yet.
    @Test
    void rowIsThereBeforeTheFirstByteOfThePack() throws IOException {
        var tip = story.serve(ANN, X);
        var commit = story.aside("pr");
        var event = proposal(commit);
        try (var push = half(event, commit, HalfPush.pack(story, commit, tip))) {
            Gauges.awaitThat("a row", () -> story.placeholder(event.id()).isPresent());
            var row = story.placeholder(event.id()).orElseThrow();
            assertTrue(row.isReceiving());
            assertEquals(commit, row.commit().toString());
            assertEquals(List.of(), story.areas());
            story.server().clock().advance(Duration.ofMinutes(10));
            assertTrue(push.finish().contains("ok " + ref(event)));
            var confirmed = story.placeholder(event.id()).orElseThrow();
            assertFalse(confirmed.isReceiving());
            assertEquals(story.server().clock().instant().plus(Duration.ofMinutes(30)), confirmed.expiresAt());
            assertEquals(List.of(row.pushedTo().getFirst().area().text()), story.areas());
        }
    }

    /// A push that takes longer than anything waits does not lose its row, nor does its event.
    @Test
    void receivingUploadDoesNotExpire() throws IOException {
        var tip = story.serve(ANN, X);
        var commit = story.aside("pr");
        var event = proposal(commit);
        try (var push = half(event, commit, HalfPush.pack(story, commit, tip))) {
            Gauges.awaitThat("a row", () -> story.placeholder(event.id()).isPresent());
            story.server().pass(Duration.ofMinutes(50));
            assertTrue(story.placeholder(event.id()).isPresent());
            assertTrue(push.finish().contains("ok " + ref(event)));
        }
        assertEquals(new Admitted.Released(), story.server().direct(event));
    }

    /// Row 191.
    @Test
    void eventThatComesMeanwhileIsReleasedByTheSamePush() throws IOException {
        var tip = story.serve(ANN, X);
        var commit = story.aside("pr");
        var event = proposal(commit);
        try (var push = half(event, commit, HalfPush.pack(story, commit, tip)).send(20)) {
            Gauges.awaitThat("a row", () -> story.placeholder(event.id()).isPresent());
            story.publish(event);
            assertTrue(story.server().isHeld(event), "judged as if there were no upload");
            assertTrue(push.finish().contains("ok " + ref(event)));
        }
        assertTrue(story.server().isServed(event));
        assertTrue(story.shows(event, ANN, X));
        story.awaitNothingLeft();
    }

    /// Row 191, the other half.
    @Test
    void eventWithAnotherCommitThatComesMeanwhileRefusesThePush() throws IOException {
        var tip = story.serve(ANN, X);
        var commit = story.aside("pr");
        var event = proposal("1".repeat(40));
        try (var push = half(event, commit, HalfPush.pack(story, commit, tip)).send(20)) {
            Gauges.awaitThat("a row", () -> story.placeholder(event.id()).isPresent());
            story.publish(event);
            assertTrue(push.finish().contains("state changed during push, try again"));
        }
        assertTrue(story.server().isHeld(event));
        story.awaitNothingLeft();
        assertEquals(1, story.count("failed"));
    }

    /// Row 73.
    @Test
    void abandonedPushLeavesNothing() throws IOException {
        var tip = story.serve(ANN, X);
        var commit = story.aside("pr");
        var event = proposal(commit);
        try (var push = half(event, commit, HalfPush.pack(story, commit, tip))) {
            push.send(20);
            Gauges.awaitThat("a row", () -> story.placeholder(event.id()).isPresent());
        }
        story.awaitNothingLeft();
    }

    /// Row 73.
    @Test
    void pushWithABadPackLeavesNothing() throws IOException {
        var tip = story.serve(ANN, X);
        var commit = story.aside("pr");
        var event = proposal(commit);
        var pack = HalfPush.pack(story, commit, tip);
        pack[pack.length - 1] ^= 1;
        try (var push = half(event, commit, pack)) {
            assertTrue(push.finish().contains("ng " + ref(event)));
        }
        story.awaitNothingLeft();
    }

    /// Row 194, R18: the state came last.
    @Test
    void stateThatNamesAnUploadIsServedAndTheUploadGoesOnWaiting() throws IOException {
        story.serve(ANN, X);
        var next = story.commit("next");
        var event = proposal("1".repeat(40));
        story.propose("main", event, ANN, X).orFail();
        story.server().clock().advance(Duration.ofMinutes(1));
        assertEquals(new Admitted.Released(), story.server().direct(story.state(ANN, X, next)));
        assertTrue(story.refs(ANN, X).contains(next + " refs/heads/main"));
        assertEquals(1, story.areas().size());
        story.server().pass(Duration.ofMinutes(30));
        story.awaitNothingLeft();
        story.git().assertSound(story.onDisk(ANN, X));
        assertTrue(story.refs(ANN, X).contains(next + " refs/heads/main"));
    }

    /// Row 194: the upload came last.
    @Test
    void uploadOfWhatAHeldStateNamesServesTheState() throws IOException {
        story.serve(ANN, X);
        var next = story.commit("next");
        story.server().clock().advance(Duration.ofMinutes(1));
        var state = story.publish(story.state(ANN, X, next));
        assertTrue(story.server().isHeld(state));
        var event = proposal("1".repeat(40));
        story.propose("main", event, ANN, X).orFail();
        assertTrue(story.server().isServed(state));
        assertTrue(story.refs(ANN, X).contains(next + " refs/heads/main"));
        assertTrue(story.placeholder(event.id()).isPresent());
    }

    /// P-320: areas of those an author has nothing to do with stay hidden.
    @Test
    void uploadToAStrangersRepositoryServesNobodyElse() throws IOException {
        story.serve(ANN, X);
        story.serve(BOB, X);
        var next = story.commit("next");
        story.propose("main", proposal("1".repeat(40)), BOB, X).orFail();
        story.server().clock().advance(Duration.ofMinutes(1));
        var state = story.publish(story.state(ANN, X, next));
        assertTrue(story.server().isHeld(state));
    }

    /// Row 195, P-248.
    @Test
    void mixedPushGivesTheRepositoryWhatIsSignedAndNoMore() throws IOException {
        story.serve(ANN, X);
        var commit = story.aside("pr");
        var next = story.commit("next");
        var event = proposal(commit);
        story.server().clock().advance(Duration.ofMinutes(1));
        var state = story.publish(story.state(ANN, X, next));
        story.push(ANN, X, "main", "pr:" + ref(event)).orFail();
        assertTrue(story.server().isServed(state));
        assertTrue(story.refs(ANN, X).contains(next + " refs/heads/main"));
        assertTrue(story.has(ANN, X, next));
        assertFalse(story.has(ANN, X, commit));
        assertFalse(story.has(ANN, X, commit + "^{tree}"));
        assertEquals(1, story.areas().size());
        assertEquals(new Admitted.Released(), story.server().direct(event));
        assertTrue(story.has(ANN, X, commit));
        story.git().assertSound(story.onDisk(ANN, X));
        story.awaitNothingLeft();
    }

    /// Row 200.
    @Test
    void twoProposalsOfOnePushShareAnAreaThatGoesWithTheLast() throws IOException {
        story.serve(ANN, X);
        var one = proposal(story.aside("one"));
        var two = proposal(story.aside("two"));
        story.push(ANN, X, "one:" + ref(one), "two:" + ref(two)).orFail();
        assertEquals(1, story.areas().size());
        assertEquals(2, story.server().rows(Table.PLACEHOLDERS));
        assertEquals(new Admitted.Released(), story.server().direct(one));
        assertEquals(1, story.areas().size());
        assertEquals(story.bytes(), story.countedBytes());
        assertEquals(new Admitted.Released(), story.server().direct(two));
        assertTrue(story.shows(two, ANN, X));
        story.awaitNothingLeft();
    }

    /// P-720: an upload has its time, whether the server runs or not.
    @Test
    void uploadOutlivesTheProcessWithItsDeadline() throws IOException {
        story.serve(ANN, X);
        var commit = story.aside("pr");
        var event = proposal(commit);
        story.propose("pr", event, ANN, X).orFail();
        var row = story.placeholder(event.id()).orElseThrow();
        var bytes = story.countedBytes();
        story.restart();
        assertEquals(row, story.placeholder(event.id()).orElseThrow());
        assertEquals(bytes, story.countedBytes());
        assertEquals(1, story.server().metric("purgatory_staging_areas"));
        story.propose("pr", event, ANN, X).orFail(); // K15: void
        assertEquals(1, story.areas().size());
        assertEquals(new Admitted.Released(), story.server().direct(event));
        story.awaitNothingLeft();
    }

    /// P-722.
    @Test
    void uploadWaitsNoLongerBecauseTheClockWasSetBack() throws IOException {
        story.serve(ANN, X);
        story.aside("pr");
        var event = proposal("1".repeat(40));
        story.propose("pr", event, ANN, X).orFail();
        story.stop();
        story.server().clock().step(Duration.ofHours(-5));
        story.restart();
        story.server().pass(Duration.ofMinutes(30));
        story.awaitNothingLeft();
    }

    /// Purgatory 10.2.
    @Test
    void logTellsWhatBecomesOfUploadsAndNoAddress() throws Exception {
        story.serve(ANN, X);
        var event = proposal(story.aside("pr"));
        var start = event.id().toHex().substring(0, 12);
        try (var log = LogWatch.on("dev.grapnel.purgatory")) {
            story.pushFrom("198.51.100.7", ANN, X, "pr:" + ref(event)).orFail();
            long bytes = story.countedBytes();
            story.publish(event);
            assertEquals(
                    List.of("DEBUG staging.reserved event=" + start + " identifier=x bytes=0 cause=push"),
                    log.lines("staging.reserved", 1));
            assertEquals(
                    List.of("DEBUG staging.promoted event=" + start + " identifier=x bytes=" + bytes
                            + " cause=promoted"),
                    log.lines("staging.promoted", 1));
            assertEquals(
                    List.of(),
                    log.lines("", 1).stream()
                            .filter(line -> line.contains("198.51.100.7"))
                            .toList());
        }
        assertEquals(1, story.count("reserved"));
        assertEquals(1, story.count("confirmed"));
    }
}
