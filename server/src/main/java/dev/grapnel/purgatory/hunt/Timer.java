package dev.grapnel.purgatory.hunt;

import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/// Runs something later. What runs is short and never waits.
@FunctionalInterface
public interface Timer {
    /// Runs it after a while.
    ///
    /// @return takes it back; without effect once it has run
    Runnable after(Duration wait, Runnable work);

    /// By an executor's clock.
    static Timer of(ScheduledExecutorService executor) {
        return (wait, work) -> {
            try {
                var future = executor.schedule(work, Math.max(0, wait.toNanos()), TimeUnit.NANOSECONDS);
                return () -> future.cancel(false);
            } catch (RejectedExecutionException _) {
                return () -> {}; // the server stops: nothing comes later
            }
        };
    }
}
