package dev.grapnel.purgatory.hunt;

import static dev.grapnel.purgatory.hunt.ScriptedWorld.id;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.url.Host;
import dev.grapnel.purgatory.pool.Timeline;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/// Leases and queues under real threads.
final class ThrottleStressTest {
    private static final Host A = new Host("a.example");

    private final AtomicInteger talking = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();

    private void talk() {
        most.accumulateAndGet(talking.incrementAndGet(), Math::max);
        Thread.onSpinWait();
        talking.decrementAndGet();
    }

    /// Row 121. Time stands still, so that no start ever leaves the window.
    @Test
    void hundredThreadsNeverExceedTheLimits() throws InterruptedException {
        var throttle = new Throttle(
                HuntConfig.DEFAULTS.limits(),
                new Timeline(() -> Instant.EPOCH, () -> 0L),
                (_, _) -> () -> {},
                _ -> {},
                _ -> {});
        var starts = new AtomicInteger();
        var go = new CountDownLatch(1);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 100; i++) {
                var _ = threads.submit(() -> {
                    go.await();
                    for (int round = 0; round < 50; round++) {
                        throttle.tryAcquire(A).ifPresent(lease -> {
                            starts.incrementAndGet();
                            talk();
                            lease.release();
                            lease.release();
                        });
                    }
                    return true;
                });
            }
            go.countDown();
        }
        assertEquals(30, starts.get());
        assertTrue(most.get() <= 5, () -> most + " at once");
        assertEquals(0, throttle.inFlight());
    }

    /// A thousand identifiers on four domains, each with a few turns, by many threads: all come to their end, which
    /// they
    /// would not if one wake-up were lost.
    @Test
    void noWakeUpIsLostBetweenThreads() throws InterruptedException {
        var limits = new HuntConfig.Limits(3, 1_000_000, List.of(), 7, 10);
        var left = new CountDownLatch(1000);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var self = new AtomicReference<Throttle>();
            var throttle = new Throttle(
                    limits,
                    new Timeline(() -> Instant.EPOCH, () -> 0L),
                    (_, _) -> () -> {},
                    turn -> threads.execute(() -> turn(self.get(), turn, left)),
                    _ -> {});
            self.set(throttle);
            for (int i = 0; i < 1000; i++) {
                int number = i;
                threads.execute(
                        () -> throttle.enqueue(new Host("h" + (number % 4) + ".example"), id("i" + number), Set.of()));
            }
            assertTrue(left.await(60, TimeUnit.SECONDS), () -> left.getCount() + " were forgotten");
        }
        assertTrue(most.get() <= 7, () -> most + " at once");
    }

    private void turn(Throttle throttle, Turn turn, CountDownLatch left) {
        if (turn.tried().size() == 3) {
            throttle.drop(turn);
            left.countDown();
        } else {
            talk();
            turn.lease().release();
            throttle.endTurn(turn, Set.of("u" + turn.tried().size()));
        }
    }
}
