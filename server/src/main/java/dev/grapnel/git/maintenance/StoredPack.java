package dev.grapnel.git.maintenance;

import java.time.Instant;

/// A pack as it lies in a repository.
///
/// @param name without extension
/// @param objects how many it has
/// @param modified when it came in; of a merged one, when the youngest of its parts did
/// @param traits what else is said about it by files beside it
public record StoredPack(String name, long bytes, long objects, Instant modified, Traits traits) {
    /// What files beside it say.
    ///
    /// @param isKept somebody marked it to be left alone
    /// @param hasBitmaps it can tell what commits reach
    /// @param isPlain it can be merged: an index of version 2, and no special meaning for stock git
    public record Traits(boolean isKept, boolean hasBitmaps, boolean isPlain) {}

    PackSize size() {
        return new PackSize(name, bytes, objects);
    }

    boolean isKept() {
        return traits.isKept();
    }

    boolean hasBitmaps() {
        return traits.hasBitmaps();
    }

    /// Whether it may become part of another pack.
    boolean isMergeable() {
        return traits.isPlain() && !traits.isKept();
    }
}
