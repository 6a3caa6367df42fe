package dev.grapnel.server.address;

import java.time.Duration;

/// How often something may happen: steadily, and at once after a rest.
///
/// @param amount so many in a period
/// @param burst so many at once
public record Rate(long amount, Duration period, long burst) {
    /// Nobody is that fast, so it is no limit. Within it no calculation overflows.
    static final long MOST = 100_000_000;

    private static final Duration PERIOD_MAX = Duration.ofMinutes(1);

    public Rate {
        if (amount < 1 || burst < 1) {
            throw new IllegalArgumentException("a rate needs at least one in a period and one at once");
        }
        if (!period.isPositive() || period.compareTo(PERIOD_MAX) > 0) {
            throw new IllegalArgumentException("the period of a rate must be positive and at most a minute");
        }
        amount = Math.min(amount, MOST);
        burst = Math.min(burst, MOST);
    }

    /// So many in a second.
    public static Rate perSecond(long amount, long burst) {
        return new Rate(amount, Duration.ofSeconds(1), burst);
    }

    /// So many in a minute.
    public static Rate perMinute(long amount, long burst) {
        return new Rate(amount, Duration.ofMinutes(1), burst);
    }
}
