package dev.grapnel.sync.health;

import dev.grapnel.sync.world.Scheduler;
import java.time.Duration;
import java.util.OptionalLong;

/// One timer for the next of many moments.
final class Wake {
    private final Scheduler loop;
    private final Runnable work;
    private final Deadline armed = new Deadline();
    private Runnable cancel = () -> {};

    Wake(Scheduler loop, Runnable work) {
        this.loop = loop;
        this.work = work;
    }

    /// Has the work done after so many nanoseconds. A timer that runs already and is earlier stays: the work then
    /// finds nothing to do and asks again.
    void after(OptionalLong left) {
        long now = loop.nanos();
        if (left.isEmpty() || (armed.isRunning(now) && armed.left(now) <= left.getAsLong())) {
            return;
        }
        cancel.run();
        armed.clear();
        armed.extend(now + left.getAsLong());
        cancel = loop.after(Duration.ofNanos(left.getAsLong()), this::run);
    }

    void close() {
        cancel.run();
    }

    private void run() {
        armed.clear();
        cancel = () -> {};
        work.run();
    }
}
