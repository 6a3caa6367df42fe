package dev.grapnel.server.relay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.server.ops.Build;
import dev.grapnel.server.ops.Metrics;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class ScanPoolTest {
    private static final long PATIENCE_SECONDS = 20;

    private final List<String> done = new CopyOnWriteArrayList<>();
    private final CountDownLatch held = new CountDownLatch(1);

    private static Metrics metrics() {
        return new Metrics(new Build("0", "", "https://example.com"), System::nanoTime, Path.of("/"));
    }

    /// Keeps the one thread busy, so that everything after it waits.
    private void hold(ScanPool pool) throws InterruptedException {
        var begun = new CountDownLatch(1);
        pool.execute("holder", () -> {
            begun.countDown();
            await(held);
        });
        await(begun);
    }

    private static void await(CountDownLatch latch) {
        try {
            assertTrue(latch.await(PATIENCE_SECONDS, TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void askersTakeTurnsHoweverMuchEachHasAsked() throws Exception {
        try (var metrics = metrics();
                var pool = new ScanPool("test", 1, metrics)) {
            hold(pool);
            for (int i = 0; i < 3; i++) {
                var name = "a" + i;
                pool.execute("a", () -> done.add(name));
            }
            pool.execute("b", () -> done.add("b0"));
            var last = new CountDownLatch(1);
            pool.execute("c", () -> done.add("c0"));
            pool.execute("c", () -> done.add("c1"));
            pool.execute("a", last::countDown);
            assertEquals(7, pool.waiting());
            held.countDown();
            await(last);
            assertEquals(List.of("a0", "b0", "c0", "a1", "c1", "a2"), done);
            assertEquals(0, pool.waiting());
        }
    }

    @Test
    void workThatFailsIsCountedAndHurtsNobody() throws Exception {
        try (var metrics = metrics();
                var pool = new ScanPool("test", 1, metrics)) {
            var after = new CountDownLatch(1);
            pool.execute("a", () -> {
                throw new IllegalStateException("on purpose");
            });
            pool.execute("a", after::countDown);
            await(after);
            assertTrue(metrics.scrape().contains("grapnel_internal_errors_total 1"), metrics.scrape());
        }
    }

    @Test
    void closingForgetsWhatWaits() throws Exception {
        try (var metrics = metrics()) {
            var pool = new ScanPool("test", 1, metrics);
            hold(pool);
            pool.execute("a", () -> done.add("a"));
            var closing = Thread.ofVirtual().start(pool::close);
            while (closing.getState() != Thread.State.WAITING) {
                Thread.onSpinWait();
            }
            held.countDown();
            closing.join();
            pool.execute("a", () -> done.add("late"));
            assertEquals(List.of(), done);
        }
    }
}
