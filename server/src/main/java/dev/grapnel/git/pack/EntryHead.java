package dev.grapnel.git.pack;

/// What stands before the compressed bytes of an object in a pack.
final class EntryHead {
    /// Bytes of the longest one: ten of a type and size, ten of a distance.
    static final int BYTES_MAX = 20;

    private EntryHead() {}

    /// Puts type and size at the beginning of an array.
    ///
    /// @return how many bytes that took
    static int put(byte[] into, int type, long size) {
        int length = 0;
        long rest = size >>> 4;
        int b = type << 4 | ((int) size & 15);
        while (rest > 0) {
            into[length++] = (byte) (b | 0x80);
            b = (int) rest & 0x7f;
            rest >>>= 7;
        }
        into[length++] = (byte) b;
        return length;
    }

    /// Puts the head of a delta at the beginning of an array.
    ///
    /// @param size of the delta
    /// @param distance how far before it its base lies
    /// @return how many bytes that took
    static int putDelta(byte[] into, long size, long distance) {
        int start = put(into, ObjectTable.OFFSET_DELTA, size);
        int digits = 1;
        for (long rest = distance >>> 7; rest > 0; rest = (rest - 1) >>> 7) {
            digits++;
        }
        long rest = distance;
        for (int at = start + digits - 1; at >= start; at--) {
            into[at] = (byte) (at == start + digits - 1 ? rest & 0x7f : (rest & 0x7f) | 0x80);
            rest = (rest >>> 7) - 1;
        }
        return start + digits;
    }
}
