package dev.grapnel.git.maintenance;

import java.time.Duration;

/// When repositories are visited, and how much of the machine that may take.
///
/// @param quiet how long nothing must have changed before a visit
/// @param changesMax so many changes bring a visit at once
/// @param queueMax repositories waiting for a visit; more wait for the next look at all
/// @param firstLook how soon after the start all repositories are looked at: what was not done before is
///     not noted anywhere, and a start has enough to do
/// @param lookEvery how often all repositories are looked at
/// @param workShare part of the time that is spent working
/// @param bytesPerSecond that are read and written at most
public record MaintenanceConfig(
        Duration quiet,
        int changesMax,
        int queueMax,
        Duration firstLook,
        Duration lookEvery,
        double workShare,
        long bytesPerSecond) {
    public static final MaintenanceConfig DEFAULTS = new MaintenanceConfig(
            Duration.ofSeconds(10), 50, 10_000, Duration.ofMinutes(1), Duration.ofHours(6), 0.5, 64L << 20);

    public MaintenanceConfig {
        if (quiet.isNegative() || firstLook.isNegative() || !lookEvery.isPositive()) {
            throw new IllegalArgumentException("maintenance must not wait for the past");
        }
        if (changesMax < 1 || queueMax < 1) {
            throw new IllegalArgumentException("maintenance needs room for one change at least");
        }
        if (!(workShare > 0 && workShare <= 1) || bytesPerSecond < 1) {
            throw new IllegalArgumentException("maintenance needs some time and some bytes to work with");
        }
    }
}
