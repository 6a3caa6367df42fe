package dev.grapnel.store.lmdb;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// Numbers in memory: LMDB's own in the machine's order, which is little-endian wherever it runs for us, and
/// ours in keys and postings big-endian, so that they sort as bytes do.
final class Raw {
    /// All memory of the process, addressed absolutely: for what the native library hands out.
    @SuppressWarnings("restricted") // the native library's results are nothing but addresses
    static final MemorySegment MEMORY = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

    private static final ValueLayout.OfShort U16 = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt U32 = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong U64 = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong BIG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final VarHandle BIG_IN_ARRAY =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private Raw() {}

    static int u16(MemorySegment memory, long at) {
        return memory.get(U16, at) & 0xffff;
    }

    static long u32(MemorySegment memory, long at) {
        return memory.get(U32, at) & 0xffff_ffffL;
    }

    static long u64(MemorySegment memory, long at) {
        return memory.get(U64, at);
    }

    static void setU64(MemorySegment memory, long at, long value) {
        memory.set(U64, at, value);
    }

    /// Eight bytes, the first one counting most.
    static long big(MemorySegment memory, long at) {
        return memory.get(BIG, at);
    }

    static void setBig(MemorySegment memory, long at, long value) {
        memory.set(BIG, at, value);
    }

    static long big(byte[] bytes, int at) {
        return (long) BIG_IN_ARRAY.get(bytes, at);
    }

    /// First eight bytes of a key, the missing ones as zeros. Keys with different prefixes compare as these
    /// do.
    static long prefix(byte[] key) {
        if (key.length >= 8) {
            return big(key, 0);
        }
        long prefix = 0;
        for (int i = 0; i < key.length; i++) {
            prefix |= (key[i] & 0xffL) << (56 - 8 * i);
        }
        return prefix;
    }

    static byte[] copy(MemorySegment memory, long at, int length) {
        var bytes = new byte[length];
        MemorySegment.copy(memory, ValueLayout.JAVA_BYTE, at, bytes, 0, length);
        return bytes;
    }
}
