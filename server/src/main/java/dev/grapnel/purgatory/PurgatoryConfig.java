package dev.grapnel.purgatory;

import java.time.Duration;

/// How long things are kept (purgatory 9, service 10.1).
///
/// @param expiry how long something waits for its git data
/// @param softExpiry how much longer an announcement stays known
/// @param sweepEvery how often expired ones are looked for
/// @param expiredTime how long expired ones are remembered
/// @param expiredMax how many of them
/// @param dormantMax of how many it is remembered what was missing
/// @param retention how long trash and withdrawn repositories are kept
/// @param cleanUpEvery how often trash is looked through
/// @param restoresBlacklisted whether what leaves the blacklist comes back
/// @param pinTime the longest push or fetch
public record PurgatoryConfig(
        Duration expiry,
        Duration softExpiry,
        Duration sweepEvery,
        Duration expiredTime,
        long expiredMax,
        long dormantMax,
        Duration retention,
        Duration cleanUpEvery,
        boolean restoresBlacklisted,
        Duration pinTime) {
    /// The specification's.
    public static final PurgatoryConfig DEFAULTS = new PurgatoryConfig(
            Duration.ofMinutes(30),
            Duration.ofDays(1),
            Duration.ofMinutes(1),
            Duration.ofDays(7),
            100_000,
            10_000,
            Duration.ofDays(90),
            Duration.ofDays(1),
            false,
            Duration.ofHours(1));
}
