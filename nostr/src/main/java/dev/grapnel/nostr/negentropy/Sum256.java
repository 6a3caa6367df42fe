package dev.grapnel.nostr.negentropy;

import dev.grapnel.nostr.event.EventId;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// An integer modulo 2^256, least significant word first. NIP-77 reads ids as little-endian integers, so word `k`
/// is the id's word `k` with its bytes reversed.
record Sum256(long w0, long w1, long w2, long w3) {
    static final int BYTES = 32;
    static final Sum256 ZERO = new Sum256(0, 0, 0, 0);

    private static final VarHandle LITTLE_ENDIAN =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    static Sum256 of(EventId id) {
        return new Sum256(
                Long.reverseBytes(id.a()),
                Long.reverseBytes(id.b()),
                Long.reverseBytes(id.c()),
                Long.reverseBytes(id.d()));
    }

    EventId toId() {
        return new EventId(Long.reverseBytes(w0), Long.reverseBytes(w1), Long.reverseBytes(w2), Long.reverseBytes(w3));
    }

    Sum256 plus(Sum256 other) {
        long r0 = w0 + other.w0;
        long c0 = carry(w0, other.w0, r0);
        long r1 = w1 + other.w1 + c0;
        long c1 = carry(w1, other.w1, r1);
        long r2 = w2 + other.w2 + c1;
        long c2 = carry(w2, other.w2, r2);
        return new Sum256(r0, r1, r2, w3 + other.w3 + c2);
    }

    Sum256 minus(Sum256 other) {
        long r0 = w0 - other.w0;
        long b0 = borrow(w0, other.w0, r0);
        long r1 = w1 - other.w1 - b0;
        long b1 = borrow(w1, other.w1, r1);
        long r2 = w2 - other.w2 - b1;
        long b2 = borrow(w2, other.w2, r2);
        return new Sum256(r0, r1, r2, w3 - other.w3 - b2);
    }

    void writeBytes(byte[] out, int at) {
        LITTLE_ENDIAN.set(out, at, w0);
        LITTLE_ENDIAN.set(out, at + 8, w1);
        LITTLE_ENDIAN.set(out, at + 16, w2);
        LITTLE_ENDIAN.set(out, at + 24, w3);
    }

    /// The bit that left the top of an addition, whether or not a carry came in.
    private static long carry(long x, long y, long sum) {
        return ((x & y) | ((x | y) & ~sum)) >>> 63;
    }

    private static long borrow(long x, long y, long difference) {
        return ((~x & y) | ((~x | y) & difference)) >>> 63;
    }
}
