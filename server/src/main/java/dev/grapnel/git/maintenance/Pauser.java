package dev.grapnel.git.maintenance;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/// Waits, so that others can work.
public interface Pauser {
    /// Waits in real time.
    Pauser REAL = duration -> {
        long end = System.nanoTime() + duration.toNanos();
        for (long left = duration.toNanos(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
            if (Thread.interrupted()) {
                throw new InterruptedException("interrupted while pausing");
            }
        }
    };

    /// Waits that long.
    ///
    /// @throws InterruptedException if the thread is to stop
    void pause(Duration duration) throws InterruptedException;
}
