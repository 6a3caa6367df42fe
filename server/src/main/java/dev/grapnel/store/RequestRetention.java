package dev.grapnel.store;

import java.time.Duration;
import java.time.Instant;

/// How long requests to delete and to vanish are served, and how long they go on blocking unserved (service
/// 4.9.3).
///
/// @param unusedServed from first sight, if it never removed or refused anything
/// @param unusedBlocking how much longer such a request blocks
/// @param usedServed from the last use
/// @param usedBlocking how much longer a request that was of use is kept
public record RequestRetention(
        Duration unusedServed, Duration unusedBlocking, Duration usedServed, Duration usedBlocking) {
    /// Service 4.9.3.
    public static final RequestRetention DEFAULTS =
            new RequestRetention(Duration.ofDays(30), Duration.ofDays(180), Duration.ofDays(270), Duration.ofDays(90));

    /// Where a request stands in its life.
    public enum Phase {
        SERVED,
        /// Nobody sees it, what it covers is refused.
        BLOCKING,
        /// It is forgotten; of one that was of use the tombstones stay.
        OVER
    }

    /// @throws IllegalArgumentException if a time is negative
    public RequestRetention {
        if (unusedServed.isNegative()
                || unusedBlocking.isNegative()
                || usedServed.isNegative()
                || usedBlocking.isNegative()) {
            throw new IllegalArgumentException("the times of deletion requests must not be negative");
        }
    }

    /// Where a request that was never of use stands.
    public Phase unused(Instant firstSeen, Instant now) {
        return phase(firstSeen, unusedServed, unusedBlocking, now);
    }

    /// Where a request that was of use stands.
    public Phase used(Instant lastUsed, Instant now) {
        return phase(lastUsed, usedServed, usedBlocking, now);
    }

    /// Ages are compared, not dates: a time that was meant as "for ever" may lie behind the last date there is.
    private static Phase phase(Instant from, Duration served, Duration blocking, Instant now) {
        var age = Duration.between(from, now);
        if (age.compareTo(served) < 0) {
            return Phase.SERVED;
        }
        return age.minus(served).compareTo(blocking) < 0 ? Phase.BLOCKING : Phase.OVER;
    }
}
