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

    private final InstantSource wall;
    private final LongSupplier nanoTime;
    private final long begun;

    public Timeline(InstantSource wall, LongSupplier nanoTime) {
        this.wall = wall;
        this.nanoTime = nanoTime;
        this.begun = nanoTime.getAsLong();
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
        return moment == NEVER ? Held.NEVER : wall.instant().plusMillis(moment - now());
    }

    /// The moment at which the wall clock will show a time, as it goes now.
    public long momentOf(Instant time) {
        if (time.equals(Held.NEVER)) {
            return NEVER;
        }
        long left = time.toEpochMilli() - wall.instant().toEpochMilli();
        return now() + left;
    }
}
