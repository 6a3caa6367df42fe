package dev.grapnel.server;

import static dev.grapnel.server.GraspUnderTest.coordinate;
import static dev.grapnel.server.PushStory.ANN;
import static dev.grapnel.server.PushStory.BOB;
import static dev.grapnel.server.PushStory.CAROL;
import static dev.grapnel.server.PushStory.ref;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.purgatory.Admitted;
import dev.grapnel.store.table.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Strangers cannot fill the disk (service 6.4.7, 9, purgatory P-140, P-246). Numbers are rows of purgatory 11.
final class UploadQuotaTest {
    private static final String X = "x";
    private static final String HERE = "198.51.100.1";
    private static final String THERE = "198.51.100.2";
    private static final int LARGE = 200_000;

    @TempDir
    Path directory = Path.of("");

    private int made;

    private static String addressExceeds(long bytes) {
        return "unsigned uploads from your address exceed " + bytes + " bytes: publish the event, or wait";
    }

    private static String totalExceeds(long bytes) {
        return "unsigned uploads here exceed " + bytes + " bytes in total: publish the event first, or wait";
    }

    private static Event unknown(PushStory story, int number) {
        return story.proposal(CAROL, "%040x".formatted(number + 1), coordinate(ANN, X));
    }

    /// A branch whose commit takes so many bytes, which no compression makes fewer.
    private String large(PushStory story, int bytes) throws IOException {
        var name = "large" + made++;
        story.git().ok(story.work(), "checkout", "--quiet", "-b", name, "main");
        var content = new byte[bytes];
        new Random(made).nextBytes(content);
        Files.write(story.work().resolve(name), content);
        story.git().ok(story.work(), "add", "--all");
        story.git().ok(story.work(), "commit", "--quiet", "-m", name);
        story.git().ok(story.work(), "checkout", "--quiet", "main");
        return name;
    }

    /// Row 196.
    @Test
    void bytesOfOneAddressEndAtItsLimitAndLeaveNothing() throws Exception {
        try (var story = new PushStory(directory, "MAX_UNSIGNED_BYTES_PER_IP", "300000");
                var log = LogWatch.on("dev.grapnel.purgatory")) {
            story.serve(ANN, X);
            var one = unknown(story, 1);
            story.pushFrom(HERE, ANN, X, large(story, LARGE) + ":" + ref(one)).orFail();
            long bytes = story.countedBytes();
            assertEquals(story.bytes(), bytes);
            assertTrue(bytes > LARGE);
            var told = story.pushFrom(HERE, ANN, X, large(story, LARGE) + ":" + ref(unknown(story, 2)))
                    .orSucceed();
            assertTrue(told.contains(addressExceeds(300_000)), told);
            Gauges.awaitThat("the second to be gone", () -> story.countedBytes() == bytes);
            assertEquals(1, story.server().rows(Table.PLACEHOLDERS));
            assertEquals(bytes, story.bytes());
            story.pushFrom(THERE, ANN, X, large(story, LARGE) + ":" + ref(unknown(story, 3)))
                    .orFail();
            story.push(ANN, X, large(story, LARGE) + ":" + ref(unknown(story, 4)))
                    .orFail(); // this machine has no limit of its own
            assertEquals(1, story.count("over_quota"));
            assertEquals(1, log.lines("staging.over_quota limit=", 1).size());
            story.server().pass(Duration.ofMinutes(30));
            story.awaitNothingLeft();
            story.pushFrom(HERE, ANN, X, large(story, LARGE) + ":" + ref(unknown(story, 5)))
                    .orFail();
        }
    }

    /// Row 196.
    @Test
    void bytesOfAllEndAtTheirLimit() throws IOException {
        try (var story = new PushStory(directory, "MAX_UNSIGNED_BYTES", "300000")) {
            var tip = story.serve(ANN, X);
            var event = story.proposal(CAROL, tip, coordinate(ANN, X));
            story.pushFrom(HERE, ANN, X, large(story, LARGE) + ":" + ref(event)).orFail();
            var told = story.pushFrom(THERE, ANN, X, large(story, LARGE) + ":" + ref(unknown(story, 2)))
                    .orSucceed();
            assertTrue(told.contains(totalExceeds(300_000)), told);
            story.publish(event); // frees them at once
            story.pushFrom(THERE, ANN, X, large(story, LARGE) + ":" + ref(unknown(story, 3)))
                    .orFail();
        }
    }

    /// Row 196: at the limit nothing is even begun.
    @Test
    void nothingIsReadWhenThereIsNoRoomLeft() throws IOException {
        try (var story = new PushStory(directory, "MAX_UNSIGNED_BYTES_PER_IP", "0", "MAX_UNSIGNED_BYTES", "0")) {
            story.serve(ANN, X);
            story.aside("pr");
            var told =
                    story.pushFrom(HERE, ANN, X, "pr:" + ref(unknown(story, 1))).orSucceed();
            assertTrue(told.contains(addressExceeds(0)), told);
            told = story.push(ANN, X, "pr:" + ref(unknown(story, 1))).orSucceed();
            assertTrue(told.contains(totalExceeds(0)), told);
            story.awaitNothingLeft();
            assertEquals(0, story.count("reserved"));
        }
    }

    /// Service 10.3: 0 forbids unsigned uploads, not pushes for held proposals.
    @Test
    void noLimitOfNothingForbidsWhatIsSigned() throws IOException {
        try (var story = new PushStory(directory, "MAX_UNSIGNED_BYTES_PER_IP", "0", "MAX_UNSIGNED_BYTES", "0")) {
            story.publish(story.server().announcement(ANN, X));
            story.commit("first");
            var event = story.publish(story.proposal(CAROL, story.aside("pr"), coordinate(ANN, X)));
            story.pushFrom(HERE, ANN, X, "pr:" + ref(event)).orFail();
            assertEquals(1, story.held(event).pushedTo().size());
        }
    }

    /// Row 196: several at once.
    @Test
    void pushesAtTheSameTimeShareTheLimit() throws Exception {
        try (var story = new PushStory(directory, "MAX_UNSIGNED_BYTES", "500000")) {
            story.serve(ANN, X);
            var pushes = new ArrayList<Callable<Integer>>();
            for (int i = 0; i < 6; i++) {
                var branch = large(story, LARGE);
                var event = unknown(story, i);
                pushes.add(() -> story.push(ANN, X, branch + ":" + ref(event)).code());
            }
            try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
                long taken = threads.invokeAll(pushes).stream()
                        .filter(done -> done.resultNow() == 0)
                        .count();
                assertTrue(taken <= 2, "taken: " + taken);
                Gauges.awaitThat("the others to be gone", () -> story.server().rows(Table.PLACEHOLDERS) == taken);
            }
            assertTrue(story.bytes() <= 500_000);
            Gauges.awaitThat("bytes to agree", () -> story.countedBytes() == bytes(story));
        }
    }

    private static long bytes(PushStory story) {
        try {
            return story.bytes();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /// Service 9: one push without any event.
    @Test
    void pushWithoutAnyEventHasALimitOfItsOwn() throws IOException {
        try (var story = new PushStory(directory, "MAX_UNMATCHED_PUSH_BYTES", "100000")) {
            story.serve(ANN, X);
            var branch = large(story, LARGE);
            var told = story.push(ANN, X, branch + ":" + ref(unknown(story, 1))).orSucceed();
            assertTrue(told.contains("pack exceeds maximum size"), told);
            story.awaitNothingLeft();
            var commit = story.git().ok(story.work(), "rev-parse", branch).strip();
            var event = story.publish(story.proposal(CAROL, commit, coordinate(ANN, X)));
            story.propose(branch, event, ANN, X).orFail();
            assertTrue(story.server().isServed(event));
        }
    }

    @Test
    void refsWithoutEventsAreFewPerAddress() throws IOException {
        try (var story = new PushStory(directory, "PURGATORY_MAX_PLACEHOLDERS_PER_IP", "2")) {
            story.serve(ANN, X);
            story.aside("pr");
            story.pushFrom(HERE, ANN, X, "pr:" + ref(unknown(story, 1))).orFail();
            var told = story.pushFrom(HERE, ANN, X, "pr:" + ref(unknown(story, 2)), "pr:" + ref(unknown(story, 3)))
                    .orSucceed();
            assertTrue(told.contains("too many unmatched refs/nostr pushes"), told);
            story.pushFrom(HERE, ANN, X, "pr:" + ref(unknown(story, 2))).orFail();
            story.pushFrom(THERE, ANN, X, "pr:" + ref(unknown(story, 3))).orFail();
            assertEquals(3, story.server().rows(Table.PLACEHOLDERS));
        }
    }

    @Test
    void refsWithoutEventsAreFewPerRepositoryAndInAll() throws IOException {
        try (var story = new PushStory(
                directory, "PURGATORY_MAX_PLACEHOLDERS_PER_REPO", "1", "PURGATORY_MAX_PLACEHOLDERS", "2")) {
            story.serve(ANN, X);
            story.serve(BOB, "y");
            story.serve(CAROL, "z");
            var pr = story.aside("pr");
            var event = story.proposal(CAROL, pr, coordinate(ANN, X));
            story.push(ANN, X, "pr:" + ref(event)).orFail();
            var told = story.push(ANN, X, "pr:" + ref(unknown(story, 2))).orSucceed();
            assertTrue(told.contains("too many unmatched refs/nostr pushes"), told);
            story.push(BOB, "y", "pr:" + ref(unknown(story, 2))).orFail();
            told = story.push(CAROL, "z", "pr:" + ref(unknown(story, 3))).orSucceed();
            assertTrue(told.contains("too many unmatched refs/nostr pushes"), told);
            assertEquals(new Admitted.Released(), story.server().direct(event)); // makes room
            story.push(CAROL, "z", "pr:" + ref(unknown(story, 3))).orFail();
            assertFalse(story.areas().isEmpty());
            assertEquals(
                    List.of(),
                    story.refs(CAROL, "z").stream()
                            .filter(line -> line.contains("nostr"))
                            .toList());
        }
    }

    /// P-140: receiving ones count.
    @Test
    void pushThatIsStillComingCounts() throws IOException {
        try (var story = new PushStory(directory, "PURGATORY_MAX_PLACEHOLDERS_PER_IP", "1")) {
            var tip = story.serve(ANN, X);
            var commit = story.aside("pr");
            var event = story.proposal(CAROL, commit, coordinate(ANN, X));
            try (var push =
                    new HalfPush(story.url(ANN, X), HERE, ref(event), commit, HalfPush.pack(story, commit, tip))) {
                push.send(1);
                Gauges.awaitThat("a row", () -> story.server().rows(Table.PLACEHOLDERS) == 1);
                var told = story.pushFrom(HERE, ANN, X, "pr:" + ref(unknown(story, 2)))
                        .orSucceed();
                assertTrue(told.contains("too many unmatched refs/nostr pushes"), told);
            }
            story.awaitNothingLeft();
            story.pushFrom(HERE, ANN, X, "pr:" + ref(unknown(story, 2))).orFail();
        }
    }
}
