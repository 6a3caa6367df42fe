package dev.grapnel.nostr.negentropy;

/// Writes base-128 digits, most significant first, the high bit set on all but the last. [RangeReader] reads
/// them.
final class Varint {
    /// The longest that is written or accepted.
    static final int BYTES_MAX = 10;

    private Varint() {}

    /// Writes a number without sign; the index after it.
    static int write(long value, byte[] out, int at) {
        int end = at + length(value);
        long rest = value;
        out[end - 1] = (byte) (rest & 0x7f);
        for (int i = end - 2; i >= at; i--) {
            rest >>>= 7;
            out[i] = (byte) ((rest & 0x7f) | 0x80);
        }
        return end;
    }

    private static int length(long value) {
        int bits = 64 - Long.numberOfLeadingZeros(value);
        return Math.max(1, (bits + 6) / 7);
    }
}
