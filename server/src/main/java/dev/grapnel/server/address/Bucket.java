package dev.grapnel.server.address;

import java.time.Duration;

/// A bucket of tokens that fills at a rate. Exact: a token is as many drops as its period has nanoseconds, and
/// each nanosecond brings as many drops as the rate has tokens in a period. Not for several threads.
final class Bucket {
    private final long inflow;
    private final long token;
    private final long capacity;
    private long level;
    private long filledAt;

    /// A full one.
    ///
    /// @param now in nanoseconds of a clock that may have any origin, here and below
    Bucket(Rate rate, long now) {
        this.inflow = rate.amount();
        this.token = rate.period().toNanos();
        this.capacity = rate.burst() * token;
        this.level = capacity;
        this.filledAt = now;
    }

    /// Takes a token if there is one.
    boolean take(long now) {
        fill(now);
        if (level < token) {
            return false;
        }
        level -= token;
        return true;
    }

    /// How long until there is a token.
    Duration untilNext(long now) {
        fill(now);
        return Duration.ofNanos(Math.max(0, Math.ceilDiv(token - level, inflow)));
    }

    boolean isFull(long now) {
        fill(now);
        return level == capacity;
    }

    private void fill(long now) {
        long elapsed = now - filledAt;
        if (elapsed <= 0) {
            return; // another thread looked at the clock a moment earlier and came a moment later
        }
        long missing = capacity - level;
        level = elapsed > missing / inflow ? capacity : level + elapsed * inflow;
        filledAt = now;
    }
}
