package dev.grapnel.sync.received;

import java.util.function.IntPredicate;
import java.util.function.IntToLongFunction;

/// Finds slots of tables by 64-bit hashes: open addressing with four bytes a place. Cut into parts that grow one by
/// one, so that no insertion takes long, however much there is.
final class SlotIndex {
    private static final int PARTS = 256;
    private static final int PART_BITS = 8;
    private static final int SMALLEST = 8;

    /// Slots plus one; 0 is a free place.
    private final int[][] parts = new int[PARTS][SMALLEST];

    private final int[] counts = new int[PARTS];
    private final IntToLongFunction hashOf;

    /// @param hashOf tells the hash of a slot that was added, until it was removed
    SlotIndex(IntToLongFunction hashOf) {
        this.hashOf = hashOf;
    }

    /// The slot with this hash that is the right one; -1 if there is none.
    int find(long hash, IntPredicate isIt) {
        var table = parts[part(hash)];
        int mask = table.length - 1;
        for (int place = (int) hash & mask; table[place] != 0; place = (place + 1) & mask) {
            if (isIt.test(table[place] - 1)) {
                return table[place] - 1;
            }
        }
        return -1;
    }

    void add(long hash, int slot) {
        int part = part(hash);
        counts[part]++;
        if (counts[part] * 2 > parts[part].length) {
            grow(part);
        }
        insert(parts[part], hash, slot);
    }

    private void grow(int part) {
        var old = parts[part];
        var wider = new int[old.length * 2];
        for (int value : old) {
            if (value != 0) {
                insert(wider, hashOf.applyAsLong(value - 1), value - 1);
            }
        }
        parts[part] = wider;
    }

    private static void insert(int[] table, long hash, int slot) {
        int mask = table.length - 1;
        int place = (int) hash & mask;
        while (table[place] != 0) {
            place = (place + 1) & mask;
        }
        table[place] = slot + 1;
    }

    /// Puts another slot of the same hash in the place of one.
    void replace(long hash, int slot, int other) {
        var table = parts[part(hash)];
        table[placeOf(table, hash, slot)] = other + 1;
    }

    void remove(long hash, int slot) {
        int part = part(hash);
        var table = parts[part];
        int mask = table.length - 1;
        int hole = placeOf(table, hash, slot);
        counts[part]--;
        for (int next = (hole + 1) & mask; table[next] != 0; next = (next + 1) & mask) {
            int home = (int) hashOf.applyAsLong(table[next] - 1) & mask;
            if (((next - home) & mask) >= ((next - hole) & mask)) { // what probing would no longer find moves back
                table[hole] = table[next];
                hole = next;
            }
        }
        table[hole] = 0;
    }

    private static int placeOf(int[] table, long hash, int slot) {
        int mask = table.length - 1;
        for (int place = (int) hash & mask; table[place] != 0; place = (place + 1) & mask) {
            if (table[place] == slot + 1) {
                return place;
            }
        }
        throw new IllegalStateException("the slot is not in the index");
    }

    private static int part(long hash) {
        return (int) (hash >>> (Long.SIZE - PART_BITS));
    }
}
