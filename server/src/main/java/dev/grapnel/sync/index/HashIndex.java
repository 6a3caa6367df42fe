package dev.grapnel.sync.index;

import java.util.Arrays;
import java.util.function.IntPredicate;
import java.util.function.IntToLongFunction;

/// Finds ordinals by a hash of what they stand for; open addressing, nothing is ever taken out. Cut into segments of
/// one
/// size, of which a full one is split in two: growing all of 20 million at once would stop the loop for seconds, and
/// segments that grow each leave as much behind as they take.
final class HashIndex {
    /// Slots of a segment; with this many the most members there can be, and the roots of a full load, take five bytes
    /// each (sync 8.2).
    private static final int SEGMENT = 3072;

    /// An eighth stays empty, so that every search ends soon.
    private static final int FULL = SEGMENT / 8 * 7;

    private static final int DEPTH_MAX = 30;

    /// A slot holds an ordinal plus one and, above it, some bits of the hash, so that others are rarely looked at.
    private static final int ORDINAL_BITS = 27;

    private static final int ORDINAL_MASK = (1 << ORDINAL_BITS) - 1;

    private final Cells slots;
    private final IntToLongFunction hashOf;

    /// Segments by the first bits of a hash; one that has fewer bits in common stands here several times.
    private int[] segments = {0};

    private int bits;
    private int[] used = {0};
    private int[] depths = {0};
    private int count = 1;

    /// @param hashOf the hash of an ordinal that was added
    HashIndex(IndexTables tables, String name, IntToLongFunction hashOf) {
        this.slots = new Cells(tables, name);
        this.hashOf = hashOf;
    }

    /// The ordinal with this hash that is meant; -1 if there is none.
    int find(long hash, IntPredicate isMeant) {
        int segment = segment(hash);
        if (used[segment] == 0) {
            return -1;
        }
        for (int slot = slot(hash); ; slot = next(slot)) {
            int entry = slots.get(cell(segment, slot));
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
        while (used[segment(hash)] >= FULL) {
            split(hash);
        }
        put(hash, sign(hash) | (ordinal + 1));
    }

    private void put(long hash, int entry) {
        int segment = segment(hash);
        if (used[segment] == 0) {
            slots.set(cell(segment, SEGMENT - 1), 0); // makes room for all of it
        }
        int slot = slot(hash);
        while (slots.get(cell(segment, slot)) != 0) {
            slot = next(slot);
        }
        slots.set(cell(segment, slot), entry);
        used[segment]++;
    }

    /// Moves half of the segment of a hash, by the next bit of theirs, to a new one.
    private void split(long hash) {
        int segment = segment(hash);
        int depth = depths[segment];
        if (depth == DEPTH_MAX) {
            throw new IllegalStateException("hashes that are all the same");
        }
        if (depth == bits) {
            widen();
        }
        addSegment(segment, depth + 1);
        int span = 1 << (bits - depth - 1);
        int upper = (int) (first(hash, depth) << 1 | 1) * span;
        Arrays.fill(segments, upper, upper + span, count - 1);
        var entries = takeAll(segment);
        for (int entry : entries) {
            put(hashOf.applyAsLong(ordinal(entry)), entry);
        }
    }

    private void widen() {
        var wider = new int[segments.length * 2];
        for (int i = 0; i < wider.length; i++) {
            wider[i] = segments[i >> 1];
        }
        segments = wider;
        bits++;
    }

    private void addSegment(int segment, int depth) {
        if (count == used.length) {
            used = Arrays.copyOf(used, count * 2);
            depths = Arrays.copyOf(depths, count * 2);
        }
        depths[segment] = depth;
        depths[count] = depth;
        count++;
    }

    private int[] takeAll(int segment) {
        var entries = new int[used[segment]];
        int taken = 0;
        for (int slot = 0; slot < SEGMENT; slot++) {
            int entry = slots.get(cell(segment, slot));
            if (entry != 0) {
                entries[taken] = entry;
                taken++;
                slots.set(cell(segment, slot), 0);
            }
        }
        used[segment] = 0;
        return entries;
    }

    private int segment(long hash) {
        return segments[(int) first(hash, bits)];
    }

    private static long first(long hash, int bits) {
        return bits == 0 ? 0 : hash >>> (Long.SIZE - bits);
    }

    /// By the lower half of a hash.
    private static int slot(long hash) {
        return (int) (((hash & 0xffff_ffffL) * SEGMENT) >>> Integer.SIZE);
    }

    private static int next(int slot) {
        return slot + 1 == SEGMENT ? 0 : slot + 1;
    }

    private static long cell(int segment, int slot) {
        return (long) segment * SEGMENT + slot;
    }

    private static int ordinal(int entry) {
        return (entry & ORDINAL_MASK) - 1;
    }

    /// Bits that choose neither segment nor, nearly, slot.
    private static int sign(long hash) {
        return (int) (hash >>> 5) & ~ORDINAL_MASK;
    }

    void keep(Kept kept) {
        kept.table(slots);
        segments = kept.numbers(segments);
        bits = kept.number(bits);
        used = kept.numbers(used);
        depths = kept.numbers(depths);
        count = kept.number(count);
    }

    long bytes() {
        return slots.bytes();
    }
}
