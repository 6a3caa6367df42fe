package dev.grapnel.git.push;

import dev.grapnel.git.pack.PackLimits;

/// What one push may take (service 9).
///
/// @param commands refs in one push
/// @param pack what its objects may be
public record PushLimits(int commands, PackLimits pack) {
    /// Those of the specification.
    public static final PushLimits DEFAULTS = new PushLimits(25_000, PackLimits.DEFAULTS);

    public PushLimits {
        if (commands < 1) {
            throw new IllegalArgumentException("a push has at least one command");
        }
    }
}
