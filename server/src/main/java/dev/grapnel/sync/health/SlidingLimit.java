package dev.grapnel.sync.health;

import java.time.Duration;

/// At most so many in any span of time, wherever the span begins.
public final class SlidingLimit {
    /// Frames to one relay stay below 50 a second (R3.15).
    private static final int FRAMES_MAX = 49;

    private final long span;
    private final long[] taken;
    private int count;
    private int next;

    public SlidingLimit(int max, Duration span) {
        this.span = span.toNanos();
        this.taken = new long[max];
    }

    /// For all frames that go to one relay.
    public static SlidingLimit frames() {
        return new SlidingLimit(FRAMES_MAX, Duration.ofSeconds(1));
    }

    /// Takes one place, if there is one.
    public boolean tryTake(long nanos) {
        if (left(nanos) > 0) {
            return false;
        }
        taken[next] = nanos;
        next = (next + 1) % taken.length;
        count = Math.min(count + 1, taken.length);
        return true;
    }

    /// How long until there is one; zero if there is.
    public Duration untilNext(long nanos) {
        return Duration.ofNanos(left(nanos));
    }

    /// The same in nanoseconds.
    long left(long nanos) {
        return count < taken.length ? 0 : Math.max(0, taken[next] + span - nanos);
    }
}
