package dev.grapnel.sync.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.sync.world.Scheduler;
import dev.grapnel.sync.world.VirtualScheduler;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/// Long work leaves the loop to others in time (sync 8.3).
final class TurnsTest {
    private static final Duration STEP = Duration.ofMillis(5);
    private static final int STEPS = 100;

    private final VirtualScheduler loop = new VirtualScheduler(Instant.EPOCH);
    private final Turns turns = new Turns(new Slow(), Runnable::run);
    private long spent;
    private int steps;

    /// A loop on which work takes time.
    private final class Slow implements Scheduler {
        @Override
        public long nanos() {
            return loop.nanos() + spent;
        }

        @Override
        public Instant wall() {
            return loop.wall();
        }

        @Override
        public Runnable after(Duration wait, Runnable work) {
            return loop.after(wait, work);
        }

        @Override
        public void post(Runnable work) {
            loop.post(work);
        }
    }

    private boolean step() {
        spent += STEP.toNanos();
        steps++;
        return steps < STEPS;
    }

    /// Announcements can be made up so that a single step takes milliseconds.
    @Test
    void stepsOfMillisecondsEndATurnWithinFiftyOfThem() {
        long longest = 0;
        turns.run(this::step, () -> {});
        for (long before = 0; steps < STEPS; before = spent) {
            longest = Math.max(longest, spent - before);
            long begun = spent;
            assertTrue(loop.step(), "it goes on");
            longest = Math.max(longest, spent - begun);
        }
        assertEquals(STEPS, steps);
        assertTrue(longest < Duration.ofMillis(50).toNanos(), Duration.ofNanos(longest)::toString);
    }
}
