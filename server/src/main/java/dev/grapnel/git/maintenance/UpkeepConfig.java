package dev.grapnel.git.maintenance;

import java.time.Duration;

/// When a repository is repacked, and how.
///
/// @param grace how long objects stay after their last ref is gone
/// @param repackObjectsMin a repository with fewer objects needs no bitmaps
/// @param heap bytes this process may use
public record UpkeepConfig(Duration grace, long repackObjectsMin, long heap) {
    /// Heap a full repack takes for each object: its entry in the list, its place in the walk, its share of
    /// bitmaps.
    private static final long OBJECT_BYTES = 300;

    private static final long MIB = 1 << 20;

    public UpkeepConfig {
        if (grace.isNegative()) {
            throw new IllegalArgumentException("the grace period must not be negative");
        }
        if (repackObjectsMin < 0 || heap < 0) {
            throw new IllegalArgumentException("neither objects nor bytes can be negative");
        }
    }

    /// For a heap of this size.
    public static UpkeepConfig defaultsFor(long heap) {
        return new UpkeepConfig(Duration.ofHours(24), 1_000, heap);
    }

    /// Objects up to which a full repack leaves two thirds of the heap to those who are served.
    long repackObjectsMax() {
        return heap / 3 / OBJECT_BYTES;
    }

    /// Largest object that is compressed against others; both have to be in memory for that.
    int deltaObjectMax() {
        return (int) Math.clamp(heap / 64, MIB, 16 * MIB);
    }

    /// What the search for similar objects may hold at once.
    long deltaMemory() {
        return Math.clamp(heap / 16, 4 * MIB, 64 * MIB);
    }
}
