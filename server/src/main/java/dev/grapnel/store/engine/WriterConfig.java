package dev.grapnel.store.engine;

import java.time.Duration;

/// How the writer works (relay 7.7).
///
/// @param queueMax transactions that may wait
/// @param queueBytesMax memory that waiting transactions may keep
/// @param batchMax transactions of one commit
/// @param batchBytesMax bytes of one commit
/// @param sweepEvery how often expired events are removed and the clock row renewed
/// @param flushEvery how often commits are flushed, for engines that do not do so with each
/// @param removalsMax removals that are remembered for those who follow
public record WriterConfig(
        int queueMax,
        long queueBytesMax,
        int batchMax,
        long batchBytesMax,
        Duration sweepEvery,
        Duration flushEvery,
        long removalsMax) {
    /// Relay 7.7.
    public static final WriterConfig DEFAULTS = new WriterConfig(
            10_000, 64L << 20, 1_000, 8L << 20, Duration.ofSeconds(30), Duration.ofMillis(200), 1_000_000);

    /// @throws IllegalArgumentException naming the setting that cannot be
    public WriterConfig {
        if (queueMax < 1 || queueBytesMax < 1 || batchMax < 1 || batchBytesMax < 1 || removalsMax < 1) {
            throw new IllegalArgumentException("the bounds of the store's writer must be at least 1");
        }
        if (!sweepEvery.isPositive() || !flushEvery.isPositive()) {
            throw new IllegalArgumentException("the store's intervals must be positive");
        }
    }
}
