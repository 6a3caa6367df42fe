package dev.grapnel.sync.index;

import java.util.function.IntPredicate;
import java.util.function.IntToLongFunction;

/// Finds ordinals by a hash of what they stand for; open addressing, nothing is ever taken out. Cut into
/// segments that grow one by one: growing all of 20 million at once would stop the loop for seconds.
final class HashIndex {
    private static final int SEGMENT_BITS = 10;
    private static final int SEGMENTS = 1 << SEGMENT_BITS;
    private static final int FIRST_POWER = 2;
    /// A slot holds an ordinal plus one and, above it, some bits of the hash, so that others are rarely looked
    /// at.
    private static final int ORDINAL_BITS = 27;
    private static final int ORDINAL_MASK = (1 << ORDINAL_BITS) - 1;

    private final Extents slots;
    private final IntToLongFunction hashOf;
    private final int[] at = new int[SEGMENTS];
    private final int[] used = new int[SEGMENTS];
    private final byte[] power = new byte[SEGMENTS];

    /// @param hashOf the hash of an ordinal that was added
    HashIndex(IndexTables tables, String name, IntToLongFunction hashOf) {
        this.slots = new Extents(tables, name);
        this.hashOf = hashOf;
    }

    /// The ordinal with this hash that is meant; -1 if there is none.
    int find(long hash, IntPredicate isMeant) {
        int segment = segment(hash);
        if (power[segment] == 0) {
            return -1;
        }
        int mask = (1 << power[segment]) - 1;
        for (int slot = (int) hash & mask; ; slot = (slot + 1) & mask) {
            int entry = slots.get(at[segment] + slot);
            if (entry == 0) {
                return -1;
            }
            if ((entry & ~ORDINAL_MASK) == sign(hash) && isMeant.test(ordinal(entry))) {
                return ordinal(entry);
            }
        }
    }

    /// Adds an ordinal that was not found.
    void add(long hash, int ordinal) {
        if (ordinal >= ORDINAL_MASK) {
            throw new IllegalStateException("more ordinals than an index holds");
        }
        int segment = segment(hash);
        // A quarter stays empty, so that every search ends soon.
        if (power[segment] == 0 || used[segment] >= 3 << (power[segment] - 2)) {
            grow(segment);
        }
        put(segment, hash, ordinal);
        used[segment]++;
    }

    private void put(int segment, long hash, int ordinal) {
        int mask = (1 << power[segment]) - 1;
        int slot = (int) hash & mask;
        while (slots.get(at[segment] + slot) != 0) {
            slot = (slot + 1) & mask;
        }
        slots.set(at[segment] + slot, sign(hash) | (ordinal + 1));
    }

    private void grow(int segment) {
        int formerPower = power[segment];
        int former = at[segment];
        power[segment] = (byte) (formerPower == 0 ? FIRST_POWER : formerPower + 1);
        at[segment] = slots.take(power[segment]);
        for (int slot = 0; slot < 1 << power[segment]; slot++) {
            slots.set(at[segment] + slot, 0);
        }
        if (formerPower > 0) {
            for (int slot = 0; slot < 1 << formerPower; slot++) {
                int entry = slots.get(former + slot);
                if (entry != 0) {
                    put(segment, hashOf.applyAsLong(ordinal(entry)), ordinal(entry));
                }
            }
            slots.giveBack(former, formerPower);
        }
    }

    private static int ordinal(int entry) {
        return (entry & ORDINAL_MASK) - 1;
    }

    /// Bits that choose neither segment nor slot.
    private static int sign(long hash) {
        return (int) (hash >>> 22) & ~ORDINAL_MASK;
    }

    private static int segment(long hash) {
        return (int) (hash >>> (Long.SIZE - SEGMENT_BITS));
    }

    long bytes() {
        return slots.bytes();
    }
}
