package dev.grapnel.git.pack;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// The objects of a pack in the order of their ids.
///
/// Parted by one byte after the other until the parts are small enough to be sorted on the heap. Ids are
/// hashes, so one byte is enough unless somebody took pains, and then it takes a few more.
final class IdOrder {
    private static final int SMALL = 1 << 16;
    private static final int KEY_BYTES = 6;
    private static final int VALUES = 256;

    private final ObjectTable table;
    private final MemorySegment order;
    private final MemorySegment other;
    private int size;

    IdOrder(ObjectTable table, Scratch scratch) throws IOException {
        this.table = table;
        long bytes = Math.max(1, (long) table.size() * Integer.BYTES);
        order = scratch.region(bytes).memory();
        other = table.size() > SMALL ? scratch.region(bytes).memory() : MemorySegment.NULL;
        for (int object = 0; object < table.size(); object++) {
            if (table.kind(object) != ObjectTable.ABSENT) {
                set(order, size++, object);
            }
        }
        sort(0, size, 0);
    }

    int size() {
        return size;
    }

    /// The object at this position.
    int at(int position) {
        return get(order, position);
    }

    private void sort(int from, int to, int depth) {
        if (to - from <= SMALL) {
            sortOnHeap(from, to, depth);
            return;
        }
        var ends = part(from, to, depth);
        int start = from;
        for (int end : ends) {
            if (end - start > 1) {
                sort(start, end, depth + 1);
            }
            start = end;
        }
    }

    /// Groups by one byte of the id; where each group ends.
    private int[] part(int from, int to, int depth) {
        var ends = new int[VALUES];
        for (int i = from; i < to; i++) {
            ends[byteOf(at(i), depth)]++;
        }
        int sum = from;
        for (int value = 0; value < VALUES; value++) {
            int count = ends[value];
            ends[value] = sum;
            sum += count;
        }
        for (int i = from; i < to; i++) {
            set(other, ends[byteOf(at(i), depth)]++, at(i));
        }
        MemorySegment.copy(other, 4L * from, order, 4L * from, 4L * (to - from));
        return ends;
    }

    private void sortOnHeap(int from, int to, int depth) {
        int count = to - from;
        var objects = new int[count];
        var keys = new long[count];
        for (int i = 0; i < count; i++) {
            objects[i] = at(from + i);
            keys[i] = (key(objects[i], depth) << 16 | i) ^ Long.MIN_VALUE; // sorted as if without sign
        }
        Arrays.sort(keys);
        for (int i = 0; i < count; i++) {
            int object = objects[(int) keys[i] & 0xffff];
            int place = from + i;
            while (place > from && keys[i] >>> 16 == keys[place - 1 - from] >>> 16 && isBefore(object, at(place - 1))) {
                set(order, place, at(place - 1));
                place--;
            }
            set(order, place, object);
        }
    }

    private long key(int object, int depth) {
        if (depth == 0) {
            return table.a(object) >>> 16;
        }
        long key = 0;
        for (int i = depth; i < depth + KEY_BYTES; i++) {
            key = key << 8 | byteOf(object, i);
        }
        return key;
    }

    private int byteOf(int object, int index) {
        if (index < 8) {
            return (int) (table.a(object) >>> (56 - 8 * index)) & 0xff;
        }
        if (index < 16) {
            return (int) (table.b(object) >>> (120 - 8 * index)) & 0xff;
        }
        return index < 20 ? table.c(object) >>> (152 - 8 * index) & 0xff : 0;
    }

    private boolean isBefore(int object, int than) {
        return table.id(object).compareTo(table.id(than)) < 0;
    }

    private static int get(MemorySegment memory, int position) {
        return memory.get(JAVA_INT, 4L * position);
    }

    private static void set(MemorySegment memory, int position, int value) {
        memory.set(JAVA_INT, 4L * position, value);
    }
}
