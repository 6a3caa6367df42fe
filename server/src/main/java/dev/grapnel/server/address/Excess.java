package dev.grapnel.server.address;

import java.time.Duration;

/// Notices who does not stop: ten times the allowed rate or more, in each of thirty seconds in a row (relay
/// 6.6). Not for several threads.
final class Excess {
    static final int FACTOR = 10;
    static final int SECONDS = 30;
    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private final double attemptsMin;
    private long secondStart;
    private long attempts;
    private int secondsInRow;

    /// @param origin where a second begins; the same for all, so that it does not depend on when one was first
    ///     seen
    Excess(Rate allowed, long origin, long now) {
        this.attemptsMin =
                FACTOR * (double) allowed.amount() * SECOND / allowed.period().toNanos();
        this.secondStart = now - Math.floorMod(now - origin, SECOND);
    }

    /// Counts an attempt, allowed or not.
    void note(long now) {
        turn(now);
        boolean wasBelow = attempts < attemptsMin;
        attempts++;
        if (wasBelow && attempts >= attemptsMin) {
            secondsInRow++;
        }
    }

    /// Whether it lasts.
    boolean isSustained(long now) {
        turn(now);
        return secondsInRow >= SECONDS;
    }

    /// Whether there is nothing to remember.
    boolean isQuiet(long now) {
        turn(now);
        return attempts == 0 && secondsInRow == 0;
    }

    private void turn(long now) {
        long seconds = Math.floorDiv(now - secondStart, SECOND);
        if (seconds <= 0) {
            return;
        }
        if (seconds > 1 || attempts < attemptsMin) {
            secondsInRow = 0;
        }
        attempts = 0;
        secondStart += seconds * SECOND;
    }
}
