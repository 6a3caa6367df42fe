package dev.grapnel.store.row;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;

/// Numbers as base-128 digits, the least significant first, the high bit set on all but the last. Each number
/// has one form, the shortest.
final class Varint {
    private static final int BITS = 7;

    private Varint() {}

    /// Writes 64 bits without sign.
    static void write(long number, ByteArrayOutputStream out) {
        long rest = number;
        while (rest >>> BITS != 0) {
            out.write((int) (rest & 0x7f) | 0x80);
            rest >>>= BITS;
        }
        out.write((int) rest);
    }

    /// Reads what [#write] wrote.
    ///
    /// @throws IllegalArgumentException if it did not write this
    static long read(ByteBuffer in) {
        long number = 0;
        for (int shift = 0; shift < Long.SIZE; shift += BITS) {
            if (!in.hasRemaining()) {
                throw new IllegalArgumentException("ends inside a number");
            }
            int digit = in.get();
            number |= (digit & 0x7fL) << shift;
            if (digit >= 0) {
                boolean zeroInFront = digit == 0 && shift > 0;
                boolean tooLarge = (long) digit << shift >>> shift != digit;
                if (zeroInFront || tooLarge) {
                    throw new IllegalArgumentException("a number is too large or not in its shortest form");
                }
                return number;
            }
        }
        throw new IllegalArgumentException("a number has more than 64 bits");
    }
}
