package dev.grapnel.sync.index;

import dev.grapnel.sync.world.Scheduler;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;

/// Does long work in turns of the loop that are short (sync 8.3), and one job after the other: while one
/// changes the index, no other does.
final class Turns {
    private static final long TURN_NANOS = Duration.ofMillis(20).toNanos();
    private static final int STEPS_MAX = 20_000;
    private static final int STEPS_BETWEEN_LOOKS = 64;

    private final Scheduler scheduler;
    private final Deque<Consumer<Runnable>> jobs = new ArrayDeque<>();
    private boolean isBusy;
    private boolean isStopped;

    Turns(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    /// Does work to its end, unless everything is stopped.
    void run(Work work, Runnable done) {
        if (isStopped) {
            return;
        }
        long begun = scheduler.nanos();
        for (int steps = 1; work.advance(); steps++) {
            if (steps == STEPS_MAX || isLong(steps, begun)) {
                scheduler.post(() -> run(work, done));
                return;
            }
        }
        done.run();
    }

    private boolean isLong(int steps, long begun) {
        return steps % STEPS_BETWEEN_LOOKS == 0 && scheduler.nanos() - begun >= TURN_NANOS;
    }

    /// Does a job when those before it are done.
    ///
    /// @param job gets what it has to run at its end
    void enqueue(Consumer<Runnable> job) {
        jobs.add(job);
        if (!isBusy) {
            next();
        }
    }

    private void next() {
        if (isStopped || jobs.isEmpty()) {
            return;
        }
        isBusy = true;
        jobs.poll().accept(() -> {
            isBusy = false;
            next();
        });
    }

    /// Whether no job is in the middle of something.
    boolean isIdle() {
        return !isBusy;
    }

    void stop() {
        isStopped = true;
        jobs.clear();
    }

    boolean isStopped() {
        return isStopped;
    }
}
