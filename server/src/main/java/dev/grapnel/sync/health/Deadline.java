package dev.grapnel.sync.health;

import java.time.Duration;

/// A moment on the clock that never goes back, or none.
final class Deadline {
    private boolean isSet;
    private long at;

    /// Moves it there, unless it is later already (R6.5).
    void extend(long to) {
        if (!isSet || to - at > 0) {
            isSet = true;
            at = to;
        }
    }

    void clear() {
        isSet = false;
    }

    boolean isSet() {
        return isSet;
    }

    boolean isRunning(long now) {
        return left(now) > 0;
    }

    /// Nanoseconds that are left; 0 if it is over.
    long left(long now) {
        return isSet ? Math.max(0, at - now) : 0;
    }

    /// The moment after a wait.
    static long after(long now, Duration wait) {
        return now + wait.toNanos();
    }
}
