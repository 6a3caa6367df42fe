package dev.grapnel.purgatory.hunt;

import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/// When a fetch that is slow gives way to somebody who waits: pure. A server that sends just enough to be no failure
/// (P-665) could otherwise keep its place for an hour, and a few of them all places.
final class Patience {
    /// Every fetch has so much time for itself, four times that after which a second source is asked.
    static final Duration UNDISTURBED = Duration.ofMinutes(2);

    /// What brings more a second than this is not slow.
    static final long SLOW_BYTES = 64 * 1024;

    private Patience() {}

    /// How far a fetch has come.
    ///
    /// @param millis since it began
    /// @param bytes that it brought
    record Pace<T>(T fetch, long millis, long bytes) {
        private boolean isSlow() {
            return millis >= UNDISTURBED.toMillis() && bytes / (double) millis * 1000 < SLOW_BYTES;
        }
    }

    /// The slow one that has had its place for the longest time; of several the one that brought least.
    static <T> Optional<T> findSlow(Collection<Pace<T>> running) {
        return running.stream()
                .filter(Pace::isSlow)
                .max(Comparator.<Pace<T>>comparingLong(Pace::millis)
                        .thenComparing(
                                Comparator.<Pace<T>>comparingLong(Pace::bytes).reversed()))
                .map(Pace::fetch);
    }
}
