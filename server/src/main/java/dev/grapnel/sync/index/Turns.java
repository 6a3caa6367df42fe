package dev.grapnel.sync.index;

import dev.grapnel.sync.world.Scheduler;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/// Does long work in turns of the loop that are short (sync 8.3), and one job after the other: while one
/// changes the index, no other does.
///
/// If a part of this fails, nobody knows what has become of the rest. Then everything that was begun is given up, and
/// after a pause a job of its own makes up for it, before the jobs that wait.
final class Turns {
    /// What fails again at once must not keep the loop busy.
    static final Duration PAUSE = Duration.ofMinutes(1);

    private static final long TURN_NANOS = Duration.ofMillis(20).toNanos();
    private static final int STEPS_MAX = 20_000;
    /// Few: a single step may take milliseconds, if somebody saw to that.
    private static final int STEPS_BETWEEN_LOOKS = 4;

    private final Scheduler scheduler;
    private final Consumer<Runnable> repair;
    private final Deque<Consumer<Runnable>> jobs = new ArrayDeque<>();
    private boolean isBusy;
    private boolean isBeginning;
    private boolean isStopped;
    private boolean isFailed;
    /// How often everything was given up.
    private int era;

    /// @param repair the job that makes up for what failed
    Turns(Scheduler scheduler, Consumer<Runnable> repair) {
        this.scheduler = scheduler;
        this.repair = repair;
    }

    /// Does work to its end, unless everything is stopped.
    void run(Work work, Runnable done) {
        parts().execute(() -> advance(work, done));
    }

    private void advance(Work work, Runnable done) {
        long begun = scheduler.nanos();
        for (int steps = 1; work.advance(); steps++) {
            if (steps == STEPS_MAX || isLong(steps, begun)) {
                scheduler.post(part(() -> advance(work, done)));
                return;
            }
        }
        done.run();
    }

    private boolean isLong(int steps, long begun) {
        return steps % STEPS_BETWEEN_LOOKS == 0 && scheduler.nanos() - begun >= TURN_NANOS;
    }

    /// A part of what is done now, for later.
    Runnable part(Runnable work) {
        var parts = parts();
        return () -> parts.execute(work);
    }

    /// Runs parts of what is done now, until that is stopped or given up.
    Executor parts() {
        int begun = era;
        return work -> {
            if (!isStopped && begun == era) {
                attempt(work);
            }
        };
    }

    /// The same after the pause.
    void later(Runnable work) {
        scheduler.after(PAUSE, part(work));
    }

    private void attempt(Runnable work) {
        boolean isDone = false;
        try {
            work.run();
            isDone = true;
        } finally {
            if (!isDone) {
                giveUp();
            }
        }
    }

    private void giveUp() {
        if (!isFailed) {
            isFailed = true;
            isBusy = true; // nobody else changes what is half done
            era++;
            later(() -> {
                isFailed = false;
                begin(repair);
            });
        }
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

    /// Begins one job after the other, as long as each is over at once. Not one within the other: there may be many.
    private void next() {
        if (isBeginning) {
            return;
        }
        isBeginning = true;
        try {
            while (!isStopped && !isBusy && !jobs.isEmpty()) {
                begin(jobs.poll());
            }
        } finally {
            isBeginning = false;
        }
    }

    private void begin(Consumer<Runnable> job) {
        isBusy = true;
        attempt(() -> job.accept(part(() -> {
            isBusy = false;
            next();
        })));
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
