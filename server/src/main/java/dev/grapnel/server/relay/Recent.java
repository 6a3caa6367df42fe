package dev.grapnel.server.relay;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.function.LongSupplier;

/// Counts how often something happened within the last minute, up to a limit. Used by one thread at a time.
final class Recent {
    private static final long MINUTE = Duration.ofMinutes(1).toNanos();

    private final int most;
    private final LongSupplier nanoTime;
    private final ArrayDeque<Long> times = new ArrayDeque<>(0);

    Recent(int most, LongSupplier nanoTime) {
        this.most = most;
        this.nanoTime = nanoTime;
    }

    /// Whether it may happen once more; if so, it counts.
    boolean take() {
        long now = nanoTime.getAsLong();
        while (!times.isEmpty() && now - times.getFirst() >= MINUTE) {
            times.removeFirst();
        }
        if (times.size() >= most) {
            return false;
        }
        times.add(now);
        return true;
    }
}
