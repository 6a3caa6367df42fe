package dev.grapnel.nostr.event;

/// Decimal digits of dates and kinds: numbers from 0 to 2^53.
final class Digits {
    private Digits() {}

    /// How many there are.
    static int count(long value) {
        int count = 1;
        // Multiplies, because dividing takes ten times as long; values stay far below the overflow.
        for (long bound = 10; value >= bound; bound *= 10) {
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
