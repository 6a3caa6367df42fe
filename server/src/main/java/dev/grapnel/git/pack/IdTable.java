package dev.grapnel.git.pack;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.grapnel.nostr.repository.Oid;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.security.SecureRandom;

/// Ids that we have met, with what we know of each: a hash table in scratch memory.
///
/// Where an id stands depends on a secret of this process. Ids in trees are whatever a stranger writes, and
/// without the secret a million of them could be made to meet in one place.
final class IdTable {
    /// An object of this id came with the pack; the lowest bits are its type, the owner its place.
    static final int SENT = 1 << 4;
    /// It is the base of a delta, and was looked for outside the pack.
    static final int BORROWED_BASE = 1 << 5;
    /// A tree calls it `.gitmodules`.
    static final int MODULES = 1 << 6;
    /// A tree calls it `.gitattributes`.
    static final int ATTRIBUTES = 1 << 7;

    private static final int TYPE_MASK = 7;
    private static final int USED = 1 << 3;
    private static final int NEEDED_SHIFT = 8;

    private static final long SECRET_A = new SecureRandom().nextLong() | 1;
    private static final long SECRET_B = new SecureRandom().nextLong() | 1;

    private static final int BYTES = 32;
    private static final int BITS = 20;
    private static final int OWNER = 24;
    private static final int NEEDER = 28;
    private static final int SLOTS_AT_FIRST = 128;
    private static final int SLOTS_FEW = 1 << 20;

    private final Scratch scratch;
    private Scratch.Region region;
    private MemorySegment memory;
    private long slots = SLOTS_AT_FIRST;
    private long size;

    IdTable(Scratch scratch) throws IOException {
        this.scratch = scratch;
        region = scratch.region(slots * BYTES);
        memory = region.memory();
    }

    /// Ids in the table.
    long size() {
        return size;
    }

    /// Places in it; not all are used.
    long slots() {
        return slots;
    }

    /// Where this id stands, or -1.
    long find(long a, long b, int c) {
        long slot = slotOf(a, b, c);
        return isUsed(slot) ? slot : -1;
    }

    /// Where this id stands from now on, until the next is added.
    long add(long a, long b, int c) throws IOException {
        long slot = slotOf(a, b, c);
        if (isUsed(slot)) {
            return slot;
        }
        if (size * 5 >= slots * 3) {
            grow();
            slot = slotOf(a, b, c);
        }
        put(slot, a, b, c);
        size++;
        return slot;
    }

    boolean isUsed(long slot) {
        return memory.get(JAVA_INT, slot * BYTES + BITS) != 0;
    }

    Oid id(long slot) {
        return new Oid(a(slot), b(slot), c(slot));
    }

    long a(long slot) {
        return memory.get(JAVA_LONG, slot * BYTES);
    }

    long b(long slot) {
        return memory.get(JAVA_LONG, slot * BYTES + 8);
    }

    int c(long slot) {
        return memory.get(JAVA_INT, slot * BYTES + 16);
    }

    boolean has(long slot, int bit) {
        return (memory.get(JAVA_INT, slot * BYTES + BITS) & bit) != 0;
    }

    void mark(long slot, int bits) {
        long at = slot * BYTES + BITS;
        int before = memory.get(JAVA_INT, at);
        if ((before | bits) != before) {
            memory.set(JAVA_INT, at, before | bits);
        }
    }

    /// The type with which it was sent, or 0.
    int type(long slot) {
        return memory.get(JAVA_INT, slot * BYTES + BITS) & TYPE_MASK;
    }

    /// The type as which others need it, or 0.
    int neededType(long slot) {
        return memory.get(JAVA_INT, slot * BYTES + BITS) >>> NEEDED_SHIFT;
    }

    /// The first object that needs it.
    int needer(long slot) {
        return memory.get(JAVA_INT, slot * BYTES + NEEDER);
    }

    void need(long slot, int type, int needer) {
        mark(slot, type << NEEDED_SHIFT);
        memory.set(JAVA_INT, slot * BYTES + NEEDER, needer);
    }

    /// The object that has this id; in a table of awaited bases, the first delta that waits.
    int owner(long slot) {
        return memory.get(JAVA_INT, slot * BYTES + OWNER) - 1;
    }

    void setOwner(long slot, int owner) {
        memory.set(JAVA_INT, slot * BYTES + OWNER, owner + 1);
    }

    private long slotOf(long a, long b, int c) {
        long mask = slots - 1;
        long mixed = ((a ^ SECRET_A) * SECRET_B) ^ Math.unsignedMultiplyHigh(a ^ SECRET_B, b ^ SECRET_A);
        long slot = (mixed ^ (((c ^ (mixed >>> 32)) * SECRET_A) >>> 29)) & mask;
        while (true) {
            long found = a(slot);
            if ((found == a && b(slot) == b && c(slot) == c) || (found == 0 && !isUsed(slot))) {
                return slot;
            }
            slot = (slot + 1) & mask;
        }
    }

    private void put(long slot, long a, long b, int c) {
        long at = slot * BYTES;
        memory.set(JAVA_LONG, at, a);
        memory.set(JAVA_LONG, at + 8, b);
        memory.set(JAVA_INT, at + 16, c);
        memory.set(JAVA_INT, at + BITS, USED);
    }

    private void grow() throws IOException {
        var before = region;
        var old = memory;
        slots *= slots < SLOTS_FEW ? 4 : 2;
        region = scratch.region(slots * BYTES);
        memory = region.memory();
        for (long at = 0; at < old.byteSize(); at += BYTES) {
            if (old.get(JAVA_INT, at + BITS) != 0) {
                long slot = slotOf(old.get(JAVA_LONG, at), old.get(JAVA_LONG, at + 8), old.get(JAVA_INT, at + 16));
                MemorySegment.copy(old, at, memory, slot * BYTES, BYTES);
            }
        }
        before.close();
    }
}
