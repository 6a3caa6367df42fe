package dev.grapnel.git.maintenance;

import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.function.LongSupplier;

/// Works a while, then rests a while: the rest is as long as both budgets ask, that of time and that of
/// bytes.
///
/// Used by one thread.
public final class BudgetPace implements Pace {
    /// Work between two rests: short enough that nobody notices, long enough that resting costs nothing.
    private static final long STRETCH = Duration.ofMillis(50).toNanos();
    private static final long REST_MAX = Duration.ofSeconds(10).toNanos();

    private final double restShare;
    private final double bytesPerNano;
    private final Pauser pauser;
    private final LongSupplier nanos;
    private long began;
    private long bytes;

    /// @param workShare part of the time that may be spent working, above 0 and at most 1
    /// @param nanos a clock that never goes back
    public BudgetPace(double workShare, long bytesPerSecond, Pauser pauser, LongSupplier nanos) {
        this.restShare = (1 - workShare) / workShare;
        this.bytesPerNano = bytesPerSecond / 1e9;
        this.pauser = pauser;
        this.nanos = nanos;
        this.began = nanos.getAsLong();
    }

    /// Time since the last work does not count.
    void restart() {
        began = nanos.getAsLong();
        bytes = 0;
    }

    @Override
    public void spend(long more) throws InterruptedIOException {
        FREE.spend(more);
        bytes += more;
        long worked = nanos.getAsLong() - began;
        long due = (long) (bytes / bytesPerNano);
        if (worked >= STRETCH || due >= STRETCH) {
            rest(Math.max((long) (worked * restShare), due - worked));
        }
    }

    private void rest(long length) throws InterruptedIOException {
        try {
            if (length > 0) {
                pauser.pause(Duration.ofNanos(Math.min(length, REST_MAX)));
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt(); // the owner of the thread looks at it
            throw new InterruptedIOException("maintenance was interrupted");
        }
        restart();
    }
}
