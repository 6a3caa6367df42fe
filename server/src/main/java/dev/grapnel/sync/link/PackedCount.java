package dev.grapnel.sync.link;

import dev.grapnel.sync.index.Targets;

/// How many live filters everything would need if it were packed anew, at either width (R3.6, R3.16).
///
/// Packing alone tells, and takes long; so what is wanted is only counted, and by how much the last packing differed
/// from such a count is remembered: names that repositories share need less, long names need more. Without that a relay
/// whose filters are full by bytes would seem to gain from being packed again, for ever.
final class PackedCount {
    private static final int WIDE_FROM = 70;
    private static final int NARROW_BELOW = 50;

    private PlanSize size = PlanSize.NOTHING;
    private long narrowExcess;
    private long wideExcess;

    /// Counts what is wanted.
    void count(int relay, Targets targets) {
        size = PlanSize.of(relay, targets);
    }

    PlanSize size() {
        return size;
    }

    /// What was last counted took so many filters.
    void packed(boolean isWide, int width, int filters) {
        long excess = filters - size.filters(width);
        if (isWide) {
            wideExcess = excess;
        } else {
            narrowExcess = excess;
        }
    }

    /// Filters, the one of announcements included.
    int filters(boolean isWide, int width) {
        long count = size.filters(width) + (isWide ? wideExcess : narrowExcess);
        return Math.clamp(count, 1, Integer.MAX_VALUE);
    }

    /// R3.6: the ordinary width, unless that makes too many filters.
    ///
    /// @param isWide whether the width is the large one now
    /// @param narrow the ordinary one
    /// @param from filters from which on they are packed again
    boolean needsWide(boolean isWide, int narrow, int from) {
        int packed = filters(false, narrow);
        return isWide ? packed >= NARROW_BELOW : packed > Math.max(WIDE_FROM, from);
    }
}
