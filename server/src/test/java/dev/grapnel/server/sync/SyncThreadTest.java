package dev.grapnel.server.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// The loop of sync in real time.
final class SyncThreadTest {
    private static final Instant NOW = Instant.ofEpochSecond(1_700_000_000);

    private final AtomicInteger turns = new AtomicInteger();
    private final AtomicInteger failures = new AtomicInteger();
    private final SyncThread loop =
            SyncThread.start(InstantSource.fixed(NOW), System::nanoTime, new SyncThread.Watcher() {
                @Override
                public void turned(long nanos) {
                    turns.incrementAndGet();
                }

                @Override
                public void failed() {
                    failures.incrementAndGet();
                }
            });

    @AfterEach
    void close() {
        loop.close();
    }

    /// What a task on the loop makes of it.
    private <T> T onLoop(Supplier<T> task) throws Exception {
        var answer = new CompletableFuture<T>();
        loop.post(() -> answer.complete(task.get()));
        return answer.get(20, TimeUnit.SECONDS);
    }

    @Test
    void tasksRunOneAfterTheOtherInTheOrderOfEachThread() throws Exception {
        int threads = 4;
        int each = 50_000;
        var seen = new ArrayList<List<Integer>>();
        IntStream.range(0, threads).forEach(_ -> seen.add(new ArrayList<>()));
        var done = new CountDownLatch(threads * each);
        for (int i = 0; i < threads; i++) {
            var mine = seen.get(i);
            Thread.ofPlatform()
                    .start(() -> IntStream.range(0, each)
                            .forEach(number -> loop.post(() -> {
                                mine.add(number);
                                done.countDown();
                            })));
        }
        assertTrue(done.await(20, TimeUnit.SECONDS));
        for (var mine : seen) {
            assertEquals(IntStream.range(0, each).boxed().toList(), mine);
        }
        assertEquals(0, loop.waiting());
    }

    @Test
    void timersRunWhenTheyAreDueAndInOrder() throws Exception {
        var seen = new ArrayList<String>();
        var done = new CompletableFuture<List<String>>();
        long begun = System.nanoTime();
        loop.post(() -> {
            loop.after(Duration.ofMillis(60), () -> done.complete(seen));
            loop.after(Duration.ofMillis(30), () -> seen.add("second"));
            loop.after(Duration.ofMillis(30), () -> seen.add("third"));
            loop.after(Duration.ZERO, () -> seen.add("first"));
            loop.after(Duration.ofMillis(40), () -> seen.add("never")).run();
        });
        assertEquals(List.of("first", "second", "third"), done.get(20, TimeUnit.SECONDS));
        assertTrue(System.nanoTime() - begun >= Duration.ofMillis(60).toNanos());
    }

    @Test
    void takingBackWhatHasRunDoesNothing() throws Exception {
        var runs = new AtomicInteger();
        var takeBack = onLoop(() -> loop.after(Duration.ZERO, runs::incrementAndGet));
        while (onLoop(runs::get) == 0) {
            Thread.onSpinWait();
        }
        onLoop(() -> {
            takeBack.run();
            return true;
        });
        assertEquals(1, runs.get());
    }

    @Test
    void manyTimersThatAreTakenBackLeaveNothingBehind() throws Exception {
        var kept = new CompletableFuture<String>();
        onLoop(() -> {
            loop.after(Duration.ofMillis(20), () -> kept.complete("kept"));
            for (int i = 0; i < 100_000; i++) {
                loop.after(Duration.ofMillis(10), () -> kept.complete("not kept"))
                        .run();
            }
            return true;
        });
        assertEquals("kept", kept.get(20, TimeUnit.SECONDS));
    }

    /// A timer that begins itself again at once does not keep others from their turn.
    @Test
    void busyTimerLeavesRoomForPostedTasks() throws Exception {
        onLoop(() -> {
            again();
            return true;
        });
        assertEquals("here", onLoop(() -> "here"));
    }

    private void again() {
        loop.after(Duration.ZERO, this::again);
    }

    @Test
    void taskThatFailsEndsNothing() throws Exception {
        loop.post(() -> {
            throw new IllegalStateException("a fault of a test");
        });
        assertEquals("here", onLoop(() -> "here"));
        assertEquals(1, failures.get());
    }

    @Test
    void turnsAreMeasured() throws Exception {
        onLoop(() -> 1);
        onLoop(() -> 2);
        assertTrue(turns.get() >= 1);
        assertEquals(NOW, loop.wall());
    }

    @Test
    void timersOfOtherThreadsAreRefused() {
        assertThrows(IllegalStateException.class, () -> loop.after(Duration.ZERO, () -> {}));
    }

    @Test
    void nothingRunsAfterTheEnd() throws Exception {
        onLoop(() -> 1);
        loop.close();
        var runs = new AtomicInteger();
        loop.post(runs::incrementAndGet);
        loop.close();
        assertEquals(0, runs.get());
    }
}
