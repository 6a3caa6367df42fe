package dev.grapnel.sync.health;

import java.time.Duration;

/// What the operator may set (sync 9.3).
///
/// @param backoff waits after failures
/// @param naughtyPeriod how long a URL is left alone that is no WebSocket (R6.10)
/// @param relaysMax relays that are followed (R1.16)
/// @param linksMax relays that are connected at once (R8.9)
public record HealthConfig(Backoff backoff, Duration naughtyPeriod, int relaysMax, int linksMax) {
    public static final HealthConfig DEFAULTS = new HealthConfig(
            new Backoff(Duration.ofSeconds(5), Duration.ofHours(1)), Duration.ofHours(12), 2_000, 1_000);

    /// @throws IllegalArgumentException naming what cannot be
    public HealthConfig {
        if (!naughtyPeriod.isPositive()) {
            throw new IllegalArgumentException("the time on the naughty list must be positive");
        }
        if (relaysMax < 1 || linksMax < 1) {
            throw new IllegalArgumentException("at least one relay and one link are needed");
        }
    }
}
