package dev.grapnel.nostr.event;

/// Decimal digits of numbers that are not negative.
final class Digits {
    private static final int COUNT_MAX = 19;

    private Digits() {}

    /// How many there are.
    static int count(long value) {
        int count = 1;
        // Multiplies, because dividing takes ten times as long. The bound on the count ends it before it overflows.
        for (long bound = 10; value >= bound && count < COUNT_MAX; bound *= 10) {
            count++;
        }
        return count;
    }

    /// Writes them; answers the index behind the last.
    static int write(long value, byte[] out, int at) {
        int end = at + count(value);
        long rest = value;
        for (int i = end - 1; i >= at; i--) {
            out[i] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
        return end;
    }
}
