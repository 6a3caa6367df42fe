package dev.grapnel.git.pack;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.grapnel.nostr.repository.Oid;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// What we know of each object of a pack, in the order in which they came. After them stand borrowed bases.
///
/// An object is named by its place in this order. Lists of objects, such as the deltas on one base, run
/// through the records themselves.
final class ObjectTable {
    /// No object.
    static final int NONE = -1;

    /// Kinds: how it lies in the pack.
    static final int WHOLE = 0;
    /// As a delta on an earlier object, named by offset.
    static final int OFFSET_DELTA = 6;
    /// As a delta on an object named by id.
    static final int ID_DELTA = 7;
    /// Not at all, until it is appended.
    static final int ABSENT = 1;

    private static final int BYTES = 48;
    private static final int OFFSET = 0;
    private static final int ID = 8;
    private static final int CRC = 28;
    private static final int BASE = 32;
    private static final int NEXT = 36;
    private static final int FIRST = 40;
    private static final int BITS = 44;
    private static final int KIND_SHIFT = 4;
    private static final int TYPE_MASK = 7;
    private static final int OBJECTS_AT_FIRST = 64;

    private final Scratch.Region region;
    private MemorySegment memory;
    private int size;
    private long capacity = OBJECTS_AT_FIRST;

    ObjectTable(Scratch scratch) throws IOException {
        region = scratch.region(capacity * BYTES);
        memory = region.memory();
    }

    int size() {
        return size;
    }

    /// The next object.
    ///
    /// @param base its base, if that is known already
    int add(long offset, int crc, int kind, int base) throws IOException {
        if (size == capacity) {
            capacity *= 2;
            memory = region.grow(capacity * BYTES);
        }
        int object = size++;
        long at = at(object);
        memory.set(JAVA_LONG, at + OFFSET, offset);
        memory.set(JAVA_INT, at + CRC, crc);
        memory.set(JAVA_INT, at + BASE, base);
        memory.set(JAVA_INT, at + NEXT, NONE);
        memory.set(JAVA_INT, at + FIRST, NONE);
        memory.set(JAVA_INT, at + BITS, kind << KIND_SHIFT);
        return object;
    }

    /// The object that begins at this offset of the pack, or none.
    int findByOffset(long offset) {
        int low = 0;
        int high = size - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            long found = offset(middle);
            if (found == offset) {
                return middle;
            }
            if (found < offset) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return NONE;
    }

    long offset(int object) {
        return memory.get(JAVA_LONG, at(object) + OFFSET);
    }

    int crc(int object) {
        return memory.get(JAVA_INT, at(object) + CRC);
    }

    /// Says where an absent object was appended.
    void place(int object, long offset, int crc) {
        long at = at(object);
        memory.set(JAVA_LONG, at + OFFSET, offset);
        memory.set(JAVA_INT, at + CRC, crc);
        memory.set(JAVA_INT, at + BITS, memory.get(JAVA_INT, at + BITS) & TYPE_MASK);
    }

    /// Says where an object of the pack lies now, as what it was before.
    void move(int object, long offset, int crc) {
        long at = at(object);
        memory.set(JAVA_LONG, at + OFFSET, offset);
        memory.set(JAVA_INT, at + CRC, crc);
    }

    /// Its id; of a delta on an id that is not resolved yet, the id of the base.
    long a(int object) {
        return memory.get(JAVA_LONG, at(object) + ID);
    }

    long b(int object) {
        return memory.get(JAVA_LONG, at(object) + ID + 8);
    }

    int c(int object) {
        return memory.get(JAVA_INT, at(object) + ID + 16);
    }

    Oid id(int object) {
        return new Oid(a(object), b(object), c(object));
    }

    void setId(int object, long a, long b, int c) {
        long at = at(object);
        memory.set(JAVA_LONG, at + ID, a);
        memory.set(JAVA_LONG, at + ID + 8, b);
        memory.set(JAVA_INT, at + ID + 16, c);
    }

    /// The number of its type, 0 while it is not resolved.
    int type(int object) {
        return memory.get(JAVA_INT, at(object) + BITS) & TYPE_MASK;
    }

    void setType(int object, int type) {
        long at = at(object) + BITS;
        memory.set(JAVA_INT, at, (memory.get(JAVA_INT, at) & ~TYPE_MASK) | type);
    }

    int kind(int object) {
        return memory.get(JAVA_INT, at(object) + BITS) >>> KIND_SHIFT;
    }

    boolean isDelta(int object) {
        return kind(object) >= OFFSET_DELTA;
    }

    int base(int object) {
        return memory.get(JAVA_INT, at(object) + BASE);
    }

    void setBase(int object, int base) {
        memory.set(JAVA_INT, at(object) + BASE, base);
    }

    /// The one after it in the list in which it stands.
    int next(int object) {
        return memory.get(JAVA_INT, at(object) + NEXT);
    }

    void setNext(int object, int next) {
        memory.set(JAVA_INT, at(object) + NEXT, next);
    }

    /// The first of the list of deltas on it.
    int first(int object) {
        return memory.get(JAVA_INT, at(object) + FIRST);
    }

    void setFirst(int object, int first) {
        memory.set(JAVA_INT, at(object) + FIRST, first);
    }

    private static long at(int object) {
        return (long) object * BYTES;
    }
}
