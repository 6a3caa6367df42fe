package dev.grapnel.store.engine;

import java.util.function.LongSupplier;

/// How much one question may still cost: steps through posting lists in all, and time before others have their
/// turn.
final class Steps {
    /// So many steps between two looks at the clock: some ten microseconds.
    private static final int CLOCK_MASK = 0xff;

    private final long most;
    private final LongSupplier nanoTime;
    private long taken;
    private long turnUntil = Long.MAX_VALUE;
    private boolean turnOver;

    Steps(long most, LongSupplier nanoTime) {
        this.most = most;
        this.nanoTime = nanoTime;
    }

    void take() {
        taken++;
        if ((taken & CLOCK_MASK) == 0 && turnUntil != Long.MAX_VALUE && nanoTime.getAsLong() - turnUntil >= 0) {
            turnOver = true;
        }
    }

    void take(long steps) {
        taken += steps;
    }

    /// Begins a turn of so many nanoseconds.
    void beginTurn(long nanos) {
        turnOver = false;
        turnUntil = nanos == Long.MAX_VALUE ? Long.MAX_VALUE : nanoTime.getAsLong() + nanos;
    }

    /// Whether it is time to let others go on.
    boolean isTurnOver() {
        return turnOver;
    }

    /// Whether the question has cost too much.
    boolean areSpent() {
        return taken > most;
    }

    /// Whether to stop for either reason.
    boolean mustStop() {
        return turnOver || taken > most;
    }
}
