package dev.grapnel.git.maintenance;

import java.io.IOException;
import java.io.OutputStream;

/// Writes what stands before the compressed bytes of an object in a pack.
final class EntryHead {
    private static final int OFFSET_DELTA = 6;

    private EntryHead() {}

    /// Of an object as it is.
    static void write(OutputStream out, int type, long size) throws IOException {
        long rest = size >>> 4;
        int part = type << 4 | (int) (size & 15);
        while (rest != 0) {
            out.write(part | 0x80);
            part = (int) (rest & 0x7f);
            rest >>>= 7;
        }
        out.write(part);
    }

    /// Of a delta on something that many bytes before it.
    static void writeDelta(OutputStream out, long size, long distance) throws IOException {
        write(out, OFFSET_DELTA, size);
        var digits = new byte[10];
        int at = digits.length - 1;
        digits[at] = (byte) (distance & 0x7f);
        for (long rest = distance >>> 7; rest != 0; rest >>>= 7) {
            rest--;
            digits[--at] = (byte) (0x80 | (rest & 0x7f));
        }
        out.write(digits, at, digits.length - at);
    }
}
