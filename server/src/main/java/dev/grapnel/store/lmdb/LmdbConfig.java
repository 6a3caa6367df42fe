package dev.grapnel.store.lmdb;

import java.time.Duration;
import java.util.function.LongSupplier;

/// How the store's file is used.
///
/// @param mapBytes how large the file may become before its map is enlarged, which happens by itself
/// @param snapshotAgeMax how long a snapshot may be held after a newer commit came
/// @param snapshotsMax how many commits may be held at once, the newest included; beyond it the oldest is
///     ended
/// @param nanos a clock that never goes back
public record LmdbConfig(
        Durability durability, long mapBytes, Duration snapshotAgeMax, int snapshotsMax, LongSupplier nanos) {
    /// Every commit is flushed before it is acknowledged.
    public static final LmdbConfig DEFAULTS =
            new LmdbConfig(Durability.SYNC, 1L << 30, Duration.ofSeconds(10), 2_000, System::nanoTime);

    public LmdbConfig {
        if (mapBytes < 1 << 20) {
            throw new IllegalArgumentException("the map must have at least 1 MiB");
        }
        if (!snapshotAgeMax.isPositive()) {
            throw new IllegalArgumentException("the greatest age of a snapshot must be positive");
        }
        if (snapshotsMax < 2) {
            throw new IllegalArgumentException("there must be room for at least 2 snapshots");
        }
    }

    public LmdbConfig withDurability(Durability value) {
        return new LmdbConfig(value, mapBytes, snapshotAgeMax, snapshotsMax, nanos);
    }

    public LmdbConfig withMapBytes(long value) {
        return new LmdbConfig(durability, value, snapshotAgeMax, snapshotsMax, nanos);
    }

    public LmdbConfig withSnapshots(Duration ageMax, int max) {
        return new LmdbConfig(durability, mapBytes, ageMax, max, nanos);
    }

    public LmdbConfig withNanos(LongSupplier value) {
        return new LmdbConfig(durability, mapBytes, snapshotAgeMax, snapshotsMax, value);
    }
}
