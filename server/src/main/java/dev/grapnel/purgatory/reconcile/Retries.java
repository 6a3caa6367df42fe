package dev.grapnel.purgatory.reconcile;

import java.time.Duration;
import java.util.List;

/// How long what failed waits until it is tried again (P-541).
final class Retries {
    private static final List<Duration> WAITS = List.of(
            Duration.ofSeconds(20),
            Duration.ofSeconds(40),
            Duration.ofSeconds(80),
            Duration.ofSeconds(120),
            Duration.ofMinutes(10));

    private Retries() {}

    /// @param failures how often it had failed before
    static Duration after(int failures) {
        return WAITS.get(Math.min(failures, WAITS.size() - 1));
    }
}
