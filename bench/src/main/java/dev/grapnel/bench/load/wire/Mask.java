package dev.grapnel.bench.load.wire;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// Masks and unmasks, eight bytes at a time.
final class Mask {
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private Mask() {}

    /// @param key the four bytes of the frame's header, first byte highest
    static void apply(int key, byte[] bytes, int from, int to) {
        long twice = ((long) key << Integer.SIZE) | Integer.toUnsignedLong(key);
        int at = from;
        for (; at <= to - Long.BYTES; at += Long.BYTES) {
            LONGS.set(bytes, at, (long) LONGS.get(bytes, at) ^ twice);
        }
        for (int shift = Long.SIZE - Byte.SIZE; at < to; at++, shift -= Byte.SIZE) {
            bytes[at] ^= (byte) (twice >>> shift);
        }
    }
}
