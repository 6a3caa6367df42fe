package dev.grapnel.git.repository;

/// How much may be kept of what was fetched for events that wait (purgatory P-807).
///
/// @param areaBytes for one identifier
/// @param totalBytes for all of them
public record HuntingLimits(long areaBytes, long totalBytes) {
    /// Those of the specification.
    public static final HuntingLimits DEFAULTS = new HuntingLimits(2L << 30, 20L << 30);

    public HuntingLimits {
        if (areaBytes < 1 || totalBytes < 1) {
            throw new IllegalArgumentException("limits of hunting areas must be at least 1");
        }
    }
}
