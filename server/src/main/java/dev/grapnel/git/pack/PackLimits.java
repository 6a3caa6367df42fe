package dev.grapnel.git.pack;

/// What a pack may cost us.
///
/// @param packBytes received
/// @param objects in one pack
/// @param objectBytes of one object, inflated
/// @param inflatedBytes of everything in the pack as it was sent, deltas as deltas
/// @param deltaDepth deltas between an object and the whole one at the bottom of its chain
/// @param resolvedBytesFloor made from deltas, always allowed
/// @param resolvedRatio made from deltas, for each byte received, where that is more than the floor
public record PackLimits(
        long packBytes,
        long objects,
        long objectBytes,
        long inflatedBytes,
        int deltaDepth,
        long resolvedBytesFloor,
        int resolvedRatio) {
    /// Those of the specification (service 9, P-807); git itself makes chains of at most 4,095.
    public static final PackLimits DEFAULTS =
            new PackLimits(1L << 30, 10_000_000, 256L << 20, 4L << 30, 4095, 4L << 30, 1000);

    public PackLimits {
        if (packBytes < 1 || objects < 1 || objectBytes < 1 || inflatedBytes < 1 || deltaDepth < 1) {
            throw new IllegalArgumentException("limits of packs must be at least 1");
        }
        if (objects > Integer.MAX_VALUE / 2) {
            throw new IllegalArgumentException("a pack cannot have more than " + Integer.MAX_VALUE / 2 + " objects");
        }
        if (objectBytes >= Integer.MAX_VALUE) {
            throw new IllegalArgumentException("an object cannot have " + objectBytes + " bytes");
        }
        if (resolvedBytesFloor < 0 || resolvedRatio < 0) {
            throw new IllegalArgumentException("limits of what deltas make must not be negative");
        }
    }

    /// Most bytes that may be made from deltas in a pack of this size.
    long resolvedBytes(long received) {
        return Math.max(resolvedBytesFloor, resolvedRatio * received);
    }
}
