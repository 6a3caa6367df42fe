package dev.grapnel.purgatory.pool;

import dev.grapnel.store.row.Held;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/// Time as deadlines need it: in the running process it is the monotonic clock that counts, so that a step
/// of the wall clock expires nothing and makes nothing last for ever; rows hold wall time, so that a time
/// without a server counts as well (P-720, P-721). A moment is a number of milliseconds since the process
/// began to count.
public final class Timeline {
    /// A moment that never comes.
    public static final long NEVER = Long.MAX_VALUE;

    /// A clock that is adjusted is not set.
    private static final long STEP_MILLIS = 1_000;

    private final InstantSource wall;
    private final LongSupplier nanoTime;
    private final long begun;
    private volatile long offset;

    public Timeline(InstantSource wall, LongSupplier nanoTime) {
        this.wall = wall;
        this.nanoTime = nanoTime;
        this.begun = nanoTime.getAsLong();
        this.offset = wall.instant().toEpochMilli() - now();
    }

    /// This moment.
    public long now() {
        return TimeUnit.NANOSECONDS.toMillis(nanoTime.getAsLong() - begun);
    }

    /// The wall clock.
    public Instant wall() {
        return wall.instant();
    }

    /// The moment after some time.
    public long after(Duration time) {
        return now() + time.toMillis();
    }

    /// What the wall clock will show at a moment, as it goes now.
    public Instant wallAt(long moment) {
        return moment == NEVER ? Held.NEVER : Instant.ofEpochMilli(moment + offset());
    }

    /// The moment at which the wall clock will show a time, as it goes now.
    public long momentOf(Instant time) {
        return time.equals(Held.NEVER) ? NEVER : time.toEpochMilli() - offset();
    }

    /// How far the wall clock is ahead of the moments: another value means that it was set.
    public Duration ahead() {
        return Duration.ofMillis(offset());
    }

    /// How far the wall clock is ahead. It stays the same until the clock is set: otherwise a moment that
    /// is written down and read again would be another one by a millisecond, and whoever compares the two
    /// would never be done.
    private long offset() {
        long now = wall.instant().toEpochMilli() - now();
        long known = offset;
        if (Math.abs(now - known) <= STEP_MILLIS) {
            return known;
        }
        offset = now;
        return now;
    }
}
