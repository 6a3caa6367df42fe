package dev.grapnel.git.client;

import dev.grapnel.git.pack.PackLimits;
import dev.grapnel.git.repository.HuntingLimits;

/// What a visit may cost us (purgatory P-807). How long it may take is the transport's.
///
/// @param advertisementBytes of everything that is said about refs
/// @param pack of one answer
/// @param area of what is kept
public record VisitLimits(long advertisementBytes, PackLimits pack, HuntingLimits area) {
    /// Those of the specification.
    public static final VisitLimits DEFAULTS = new VisitLimits(16L << 20, PackLimits.DEFAULTS, HuntingLimits.DEFAULTS);

    public VisitLimits {
        if (advertisementBytes < 1) {
            throw new IllegalArgumentException("the limit of advertisements must be at least 1");
        }
    }
}
