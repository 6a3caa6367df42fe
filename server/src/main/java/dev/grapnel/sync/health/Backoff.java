package dev.grapnel.sync.health;

import java.time.Duration;

/// How long to wait after failures in a row (R6.1): twice as long each time.
///
/// @param base after the first
/// @param max never longer
public record Backoff(Duration base, Duration max) {
    /// More doublings would not fit into a [Duration]'s range for any base, and reach any maximum.
    private static final int DOUBLINGS_MAX = 30;

    /// @throws IllegalArgumentException if the base is not positive or above the maximum
    public Backoff {
        if (!base.isPositive() || base.compareTo(max) > 0) {
            throw new IllegalArgumentException("the first wait must be positive, and no longer than the longest");
        }
    }

    /// The wait after so many failures.
    Duration after(int failures) {
        var wait = base.multipliedBy(1L << Math.min(failures - 1, DOUBLINGS_MAX));
        return wait.compareTo(max) < 0 ? wait : max;
    }
}
