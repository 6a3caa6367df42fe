package dev.grapnel.server;

import static dev.grapnel.server.GraspUnderTest.maintainers;
import static dev.grapnel.server.PushStory.ANN;
import static dev.grapnel.server.PushStory.BOB;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.store.StoreSamples;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What those who watch see of repositories that follow their events (purgatory 10.1, 10.2).
final class ReconcileFiguresTest {
    private static final String EMPTIED = "WARN refs.emptied";

    @TempDir
    private Path directory;

    private PushStory story;
    private LogWatch log;

    @BeforeEach
    void open() throws IOException {
        story = new PushStory(directory);
        log = LogWatch.on("dev.grapnel.purgatory.reconcile");
    }

    @AfterEach
    void close() {
        log.close();
        story.close();
    }

    private double metric(String name) {
        return story.server().metric(name);
    }

    private double moved(String operation) {
        return metric("purgatory_refs_changed_total{op=\"" + operation + "\"}");
    }

    @Test
    void refsThatMoveAreCountedByWhatBecameOfThem() throws Exception {
        story.serve(ANN, "x");
        assertEquals(1, moved("create"));
        assertEquals(0, moved("head"), "HEAD named main from the beginning");
        assertTrue(metric("purgatory_reconcile_seconds_count{trigger=\"push\"}") >= 1);
        story.server().pass(Duration.ofSeconds(1));
        var second = story.commit("second");
        story.publish(story.state(ANN, "x", second));
        story.push(ANN, "x", "main").orFail();
        assertEquals(1, moved("update"));
        story.server().pass(Duration.ofSeconds(1));
        var empty = story.publish(story.server().stateAt(story.server().now(), ANN, "x"));
        story.server().awaitReconciled();
        assertEquals(1, moved("delete"));
        var lines = log.lines("refs.emptied", 1);
        assertTrue(
                lines.getFirst()
                        .startsWith(EMPTIED + " owner=" + StoreSamples.author(ANN) + " identifier=x state=" + empty.id()
                                + " refs=1 until="),
                lines::toString);
        assertEquals(1, metric("purgatory_trash_records"));
    }

    @Test
    void repositoryThatCannotBeWrittenIsReportedUntilItCan() throws Exception {
        story.publish(story.server().announcement(ANN, "x", maintainers(BOB)));
        story.publish(story.server().announcement(BOB, "x", maintainers(ANN)));
        var lock = Files.createFile(story.onDisk(BOB, "x").resolve("packed-refs.lock"));
        var first = story.commit("first");
        story.publish(story.state(ANN, "x", first));
        story.push(ANN, "x", "main").orFail();
        story.server().awaitReconciled();
        assertEquals(1, metric("purgatory_repair_ledger_size"));
        assertTrue(metric("purgatory_reconcile_errors_total{step=\"align\"}") >= 1);
        var who = "owner=" + StoreSamples.author(BOB) + " identifier=x";
        assertTrue(log.lines("repair.queued", 1).getFirst().startsWith("WARN repair.queued " + who + " reason="));
        assertTrue(log.lines("reconcile.error", 1)
                .getFirst()
                .startsWith("WARN reconcile.error identifier=x owner=" + StoreSamples.author(BOB) + " step=align"));
        assertFalse(story.refs(BOB, "x").stream().anyMatch(line -> line.endsWith("refs/heads/main")));

        Files.delete(lock);
        story.server().pass(Duration.ofSeconds(1));
        story.publish(story.state(ANN, "x", first)); // whatever happens to the name leads to another look
        story.server().awaitReconciled();
        assertEquals("INFO repair.done " + who, log.lines("repair.done", 1).getFirst());
        assertEquals(0, metric("purgatory_repair_ledger_size"));
        assertTrue(story.refs(BOB, "x").contains(first + " refs/heads/main"));
    }

    /// Row 99: whoever published and pushed has done their part.
    @Test
    void nothingExpiresWhileOurDiskFails() throws Exception {
        story.publish(story.server().announcement(ANN, "x"));
        var lock = Files.createFile(story.onDisk(ANN, "x").resolve("packed-refs.lock"));
        var state = story.publish(story.state(ANN, "x", story.commit("first")));
        var words = story.push(ANN, "x", "main").orSucceed();
        assertTrue(words.contains("internal error"), words);
        story.server().pass(Duration.ofMinutes(40));
        assertTrue(story.server().isHeld(state));
        Files.delete(lock);
        story.push(ANN, "x", "main").orFail();
        assertTrue(story.server().isServed(state));
    }

    @Test
    void thatLastsADayAtMost() throws Exception {
        story.publish(story.server().announcement(ANN, "x"));
        Files.createFile(story.onDisk(ANN, "x").resolve("packed-refs.lock"));
        var state = story.publish(story.state(ANN, "x", story.commit("first")));
        story.push(ANN, "x", "main").orSucceed();
        story.server().pass(Duration.ofHours(25));
        assertFalse(story.server().isHeld(state));
    }
}
