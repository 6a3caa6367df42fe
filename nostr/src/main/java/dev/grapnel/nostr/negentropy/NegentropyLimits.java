package dev.grapnel.nostr.negentropy;

/// What an initiator grants its peer: bytes of each own message (0 is no limit), messages sent in one session,
/// the first included, and different ids needed in one session.
public record NegentropyLimits(int frameBytes, int roundsMax, int needMax) {
    /// The bounds of relay 5.8.
    public static final NegentropyLimits DEFAULTS = new NegentropyLimits(60_000, 250, 250_000);

    public NegentropyLimits {
        FrameLimit.requireValid(frameBytes);
        if (roundsMax < 1) {
            throw new IllegalArgumentException("roundsMax must be at least 1");
        }
        if (needMax < 0) {
            throw new IllegalArgumentException("needMax must not be negative");
        }
    }

    /// The same with another frame limit, which depends on what the peer accepts.
    public NegentropyLimits withFrameBytes(int bytes) {
        return new NegentropyLimits(bytes, roundsMax, needMax);
    }
}
