package dev.grapnel.sync.sim;

import dev.grapnel.sync.world.Scheduler;
import dev.grapnel.sync.world.VirtualScheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Supplier;

/// The loop as one life of a node sees it, with the node's own wall clock. Nothing of a life runs after its end.
final class LifeTime implements Scheduler {
    private final VirtualScheduler time;
    private final Supplier<Duration> ahead;
    private boolean isOver;

    /// @param ahead how far the node's clock is ahead of the world's
    LifeTime(VirtualScheduler time, Supplier<Duration> ahead) {
        this.time = time;
        this.ahead = ahead;
    }

    @Override
    public long nanos() {
        return time.nanos();
    }

    @Override
    public Instant wall() {
        return time.wall().plus(ahead.get());
    }

    @Override
    public Runnable after(Duration wait, Runnable work) {
        return time.after(wait, () -> run(work));
    }

    @Override
    public void post(Runnable work) {
        time.post(() -> run(work));
    }

    private void run(Runnable work) {
        if (!isOver) {
            work.run();
        }
    }

    void end() {
        isOver = true;
    }
}
