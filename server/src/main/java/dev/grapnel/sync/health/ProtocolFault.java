package dev.grapnel.sync.health;

import java.time.Duration;

/// That a URL does not lead to a WebSocket (R6.10). It keeps us away for a time counted from the first occurrence; an
/// operator hears of that, and not of each repetition.
final class ProtocolFault {
    private int count;
    private long firstAt;
    private long lastAt;
    private long until;

    /// It happened.
    ///
    /// @return whether it never had before
    boolean add(long now, Duration period) {
        boolean isNew = count == 0;
        if (isRunning(now)) {
            count++;
        } else {
            count = 1;
            firstAt = now;
            until = Deadline.after(now, period);
        }
        lastAt = now;
        return isNew;
    }

    boolean isRunning(long now) {
        return left(now) > 0;
    }

    /// Nanoseconds that are left; 0 if we need not stay away.
    long left(long now) {
        return count == 0 ? 0 : Math.max(0, until - now);
    }

    /// Forgets it: it was our own fault.
    void clear() {
        count = 0;
    }

    /// How often in this period; 0 if never.
    int count() {
        return count;
    }

    long firstAt() {
        return firstAt;
    }

    long lastAt() {
        return lastAt;
    }

    long until() {
        return until;
    }

    /// Takes back what was written down.
    void restore(int countThen, long firstThen, long lastThen, long untilThen) {
        count = countThen;
        firstAt = firstThen;
        lastAt = lastThen;
        until = untilThen;
    }
}
