package dev.grapnel.nostr.event;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.security.SecureRandom;

/// A fast hash of bytes that strangers choose, seeded per process so that they cannot choose collisions. Nothing that
/// shows may depend on it: neither order nor outcome.
final class SeededHash {
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long SEED = new SecureRandom().nextLong();
    private static final long MULTIPLIER = 0x9e3779b97f4a7c15L;

    private SeededHash() {}

    static long of(byte[] in, int from, int to) {
        long hash = SEED ^ (to - from);
        int i = from;
        for (; i + Long.BYTES <= to; i += Long.BYTES) {
            hash = mix(hash ^ (long) LONGS.get(in, i));
        }
        long tail = 0;
        for (; i < to; i++) {
            tail = tail << 8 | (in[i] & 0xff);
        }
        return mix(hash ^ tail);
    }

    private static long mix(long bits) {
        return bits * MULTIPLIER ^ Math.unsignedMultiplyHigh(bits, MULTIPLIER);
    }
}
