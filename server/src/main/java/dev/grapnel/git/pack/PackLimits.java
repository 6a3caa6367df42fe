package dev.grapnel.git.pack;

/// What a pack may cost us.
///
/// @param packBytes received
/// @param objects in one pack
/// @param objectBytes of one object, inflated
/// @param wholeBytes of what has to be whole in memory whenever it is read: of a commit, a tree or a tag;
///     of a delta, of what it is made from and of what it makes. Files beyond it are kept whole in the pack
/// @param inflatedBytes of everything in the pack as it was sent, deltas as deltas
/// @param deltaDepth deltas between an object and the whole one at the bottom of its chain
/// @param resolved what may be made from deltas
public record PackLimits(
        long packBytes,
        long objects,
        long objectBytes,
        long wholeBytes,
        long inflatedBytes,
        int deltaDepth,
        Resolved resolved) {
    /// How many bytes may be made from deltas: so many for each byte received, but some always, and not
    /// more than can be looked at in less than an hour.
    ///
    /// @param floor always allowed
    /// @param ratio for each byte received, where that is more than the floor
    /// @param cap whatever was received
    public record Resolved(long floor, int ratio, long cap) {
        /// Histories of large files that change a little make thousands of times what is sent.
        public static final Resolved DEFAULTS = new Resolved(4L << 30, 1000, 256L << 30);

        public Resolved {
            if (floor < 0 || ratio < 0 || cap < floor) {
                throw new IllegalArgumentException(
                        "limits of what deltas make must not be negative, nor the cap below the floor");
            }
        }

        /// Most bytes that may be made in a pack of this size.
        long bytes(long received) {
            return received > cap / Math.max(1, ratio) ? cap : Math.max(floor, ratio * received);
        }
    }

    /// Those of the specification (service 9, P-807); git itself makes chains of at most 4,095.
    public static final PackLimits DEFAULTS =
            new PackLimits(1L << 30, 10_000_000, 256L << 20, 50L << 20, 4L << 30, 4095, Resolved.DEFAULTS);

    public PackLimits {
        if (packBytes < 1 || objects < 1 || objectBytes < 1 || wholeBytes < 1 || inflatedBytes < 1 || deltaDepth < 1) {
            throw new IllegalArgumentException("limits of packs must be at least 1");
        }
        if (objects > Integer.MAX_VALUE / 2) {
            throw new IllegalArgumentException("a pack cannot have more than " + Integer.MAX_VALUE / 2 + " objects");
        }
        if (objectBytes >= Integer.MAX_VALUE) {
            throw new IllegalArgumentException("an object cannot have " + objectBytes + " bytes");
        }
    }

    /// Most bytes of a pack with all that was added to it.
    long completeBytes() {
        return packBytes > Long.MAX_VALUE / 2 ? Long.MAX_VALUE : 2 * packBytes;
    }
}
