package dev.grapnel.purgatory.hunt;

import dev.grapnel.config.Configuration;
import dev.grapnel.config.DomainLimits;
import dev.grapnel.config.PurgatorySettings;
import java.time.Duration;
import java.util.List;

/// How hunting behaves (purgatory 9). Another one may take its place while hunting goes on (P-900).
///
/// @param isEnabled without it only pushes bring data (P-902)
/// @param loopEvery how often due identifiers are looked for
/// @param expiry how long lost data of served events is hunted as often as that of new ones
/// @param dormantEvery the longest time between two looks for late data
/// @param hedgeAfter age of a fetch at which a second source is asked; zero for never
public record HuntConfig(
        boolean isEnabled,
        Duration loopEvery,
        Delays delays,
        Limits limits,
        Guesses guesses,
        Duration expiry,
        Duration refreshEvery,
        Duration dormantEvery,
        Duration attemptLimit,
        Duration hedgeAfter) {
    /// When an attempt begins.
    ///
    /// @param direct after a client's event
    /// @param synced after another relay's event
    /// @param backoffBase after the first attempt in vain
    /// @param backoffMax after many
    public record Delays(Duration direct, Duration synced, Duration backoffBase, Duration backoffMax) {
        /// How long an attempt waits (P-605).
        ///
        /// @param attempts how many were in vain, at least one
        public Duration backoff(int attempts) {
            // doubling more often than this would overflow, and every cap is reached before
            var wait = backoffBase.multipliedBy(1L << Math.min(attempts - 1, 20));
            return wait.compareTo(backoffMax) < 0 ? wait : backoffMax;
        }
    }

    /// How much of others is used.
    ///
    /// @param concurrent conversations with one domain at once
    /// @param perMinute starts for one domain within sixty seconds
    /// @param overrides other numbers for some domains
    /// @param fetches conversations at once
    /// @param perAddress connections to one machine at once
    public record Limits(int concurrent, int perMinute, List<DomainLimits> overrides, int fetches, int perAddress) {
        public Limits {
            overrides = List.copyOf(overrides);
        }
    }

    /// Ids that are asked for although they are not advertised, and what is remembered of them (P-662).
    ///
    /// @param perVisit how many in one visit
    /// @param perMinute how many of one domain within sixty seconds
    /// @param missTime how long what a server lacked is remembered
    /// @param missUrls for how many URLs
    public record Guesses(int perVisit, int perMinute, Duration missTime, int missUrls) {}

    /// The specification's.
    public static final HuntConfig DEFAULTS = new HuntConfig(
            true,
            Duration.ofSeconds(1),
            new Delays(
                    Duration.ofSeconds(180), Duration.ofMillis(500), Duration.ofSeconds(20), Duration.ofSeconds(120)),
            new Limits(5, 30, List.of(), 32, 10),
            new Guesses(2, 6, Duration.ofMinutes(30), 1024),
            Duration.ofMinutes(30),
            Duration.ofHours(1),
            Duration.ofHours(1),
            Duration.ofSeconds(5400),
            Duration.ofSeconds(30));

    /// What the operator has set.
    public static HuntConfig of(Configuration configuration) {
        return new HuntConfig(
                configuration.require(PurgatorySettings.HUNT_ENABLED),
                configuration.require(PurgatorySettings.SYNC_LOOP_INTERVAL_MS),
                new Delays(
                        configuration.require(PurgatorySettings.SYNC_DEFAULT_DELAY_SECS),
                        configuration.require(PurgatorySettings.SYNC_IMMEDIATE_DELAY_MS),
                        configuration.require(PurgatorySettings.SYNC_BACKOFF_BASE_SECS),
                        configuration.require(PurgatorySettings.SYNC_BACKOFF_MAX_SECS)),
                new Limits(
                        count(configuration.require(PurgatorySettings.SYNC_DOMAIN_CONCURRENT)),
                        count(configuration.require(PurgatorySettings.SYNC_DOMAIN_RATE_LIMIT)),
                        configuration.require(PurgatorySettings.SYNC_DOMAIN_OVERRIDES),
                        count(configuration.require(PurgatorySettings.HUNT_MAX_CONCURRENT)),
                        count(configuration.require(PurgatorySettings.HUNT_MAX_PER_ADDRESS))),
                new Guesses(
                        count(configuration.require(PurgatorySettings.HUNT_SPECULATIVE_PER_VISIT)),
                        count(configuration.require(PurgatorySettings.HUNT_SPECULATIVE_PER_MINUTE)),
                        configuration.require(PurgatorySettings.HUNT_MISS_MEMORY_SECS),
                        count(configuration.require(PurgatorySettings.HUNT_MISS_MEMORY_URLS))),
                configuration.require(PurgatorySettings.PURGATORY_EXPIRY_SECS),
                configuration.require(PurgatorySettings.HUNT_REFRESH_SECS),
                configuration.require(PurgatorySettings.PURGATORY_DORMANT_CHECK_SECS),
                configuration.require(PurgatorySettings.HUNT_ATTEMPT_TIMEOUT_SECS),
                configuration.require(PurgatorySettings.HUNT_HEDGE_SECS));
    }

    private static int count(long number) {
        return (int) Math.min(number, Integer.MAX_VALUE);
    }
}
