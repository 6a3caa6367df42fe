package dev.grapnel.sync.health;

import java.time.Duration;

/// The wait that a relay gets which wants us to slow down (R4.29). Connections come and go meanwhile; they do not
/// matter here.
final class Cooldown {
    static final Duration MAX = Duration.ofHours(1);
    static final int LEVEL_MAX = 7;

    /// A refusal so soon after the last wait makes the next one longer.
    private static final long SOON = Duration.ofMinutes(5).toNanos();

    /// Peace for so long makes it short again.
    static final Duration PEACE = Duration.ofMinutes(30);

    private static final Duration FIRST = Duration.ofSeconds(65);

    /// 0 before the first.
    private int level;

    private long until;

    /// Begins one, unless one is running: a refusal meanwhile neither extends it nor counts.
    ///
    /// @param atLeast what the relay asked for
    /// @return whether it began
    boolean begin(long now, Duration atLeast) {
        if (isRunning(now)) {
            return false;
        }
        level = next(now - until);
        var wait = shorter(MAX, longer(lengthOf(level), atLeast));
        until = Deadline.after(now, wait);
        return true;
    }

    private int next(long peace) {
        if (level == 0 || peace >= PEACE.toNanos()) {
            return 1;
        }
        return peace <= SOON ? Math.min(level + 1, LEVEL_MAX) : level;
    }

    private static Duration lengthOf(int level) {
        return shorter(MAX, FIRST.multipliedBy(1L << (level - 1)));
    }

    private static Duration shorter(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }

    private static Duration longer(Duration a, Duration b) {
        return a.compareTo(b) > 0 ? a : b;
    }

    boolean isRunning(long now) {
        return left(now) > 0;
    }

    /// Nanoseconds that are left; 0 if none is running.
    long left(long now) {
        return level == 0 ? 0 : Math.max(0, until - now);
    }

    /// Whether the next refusal would be as the first.
    boolean isForgotten(long now) {
        return level == 0 || now - until >= PEACE.toNanos();
    }

    /// How many doublings, and one; for writing down.
    int level() {
        return level;
    }

    /// When it ends or ended; only if there was one.
    long until() {
        return until;
    }

    /// Takes back what was written down.
    void restore(int levelThen, long untilThen) {
        level = Math.clamp(levelThen, 0, LEVEL_MAX);
        until = untilThen;
    }
}
