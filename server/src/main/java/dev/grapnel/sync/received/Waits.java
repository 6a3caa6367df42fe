package dev.grapnel.sync.received;

import java.util.Arrays;
import java.util.function.LongConsumer;

/// Who waits for what: rows of a key's hash and a slot of [RefusedIndex], found by key in the order in which they came,
/// and by slot. Four ints and a long each.
final class Waits {
    /// No row.
    static final int NONE = -1;

    private static final int FIELDS = 4;
    private static final int SLOT = 0;
    private static final int BEFORE = 1;
    private static final int AFTER = 2;
    private static final int SIBLING = 3;

    private static final int CHUNK_BITS = 14;
    private static final int CHUNK = 1 << CHUNK_BITS;
    private static final int CHUNK_MASK = CHUNK - 1;

    private final int max;
    private final SlotIndex heads = new SlotIndex(this::key);
    private long[][] keys = new long[0][];
    private int[][] fields = new int[0][];
    private int used;
    private int free = NONE;
    private int count;

    Waits(int max) {
        this.max = max;
    }

    int count() {
        return count;
    }

    boolean hasRoomFor(int rows) {
        return count + rows <= max;
    }

    /// Notes that a slot waits for something.
    ///
    /// @param sibling the slot's last row
    /// @return the row, which leads to the sibling
    int add(long key, int slot, int sibling) {
        int row = takeRow();
        keys[row >> CHUNK_BITS][row & CHUNK_MASK] = key;
        set(row, SLOT, slot);
        set(row, SIBLING, sibling);
        int head = findHead(key);
        if (head == NONE) {
            set(row, BEFORE, row);
            set(row, AFTER, row);
            heads.add(key, row);
        } else {
            link(get(head, BEFORE), row);
            link(row, head);
        }
        return row;
    }

    /// Takes all rows of a slot away.
    ///
    /// @return how many there were
    int removeAll(int first) {
        int before = count;
        int row = first;
        while (row != NONE) {
            int sibling = get(row, SIBLING);
            remove(row);
            row = sibling;
        }
        return before - count;
    }

    /// The slot that has waited longest for something; [#NONE] if none does.
    int findFirst(long key) {
        int head = findHead(key);
        return head == NONE ? NONE : get(head, SLOT);
    }

    boolean isAwaited(long key) {
        return findHead(key) != NONE;
    }

    /// Shows what a slot waits for, given its first row.
    void forEachKey(int first, LongConsumer visitor) {
        for (int row = first; row != NONE; row = get(row, SIBLING)) {
            visitor.accept(key(row));
        }
    }

    private void remove(int row) {
        long key = key(row);
        int before = get(row, BEFORE);
        int after = get(row, AFTER);
        if (after == row) {
            heads.remove(key, row);
        } else {
            if (findHead(key) == row) {
                heads.replace(key, row, after);
            }
            link(before, after);
        }
        set(row, AFTER, free);
        free = row;
        count--;
    }

    private int findHead(long key) {
        return heads.find(key, row -> key(row) == key);
    }

    private void link(int before, int after) {
        set(before, AFTER, after);
        set(after, BEFORE, before);
    }

    private int takeRow() {
        if (count == max) {
            throw new IllegalStateException("there is no room, which should have been asked for");
        }
        count++;
        if (free != NONE) {
            int row = free;
            free = get(row, AFTER);
            return row;
        }
        if (used == keys.length << CHUNK_BITS) {
            keys = Arrays.copyOf(keys, keys.length + 1);
            fields = Arrays.copyOf(fields, fields.length + 1);
            keys[keys.length - 1] = new long[CHUNK];
            fields[fields.length - 1] = new int[CHUNK * FIELDS];
        }
        return used++;
    }

    private long key(int row) {
        return keys[row >> CHUNK_BITS][row & CHUNK_MASK];
    }

    private int get(int row, int field) {
        return fields[row >> CHUNK_BITS][(row & CHUNK_MASK) * FIELDS + field];
    }

    private void set(int row, int field, int value) {
        fields[row >> CHUNK_BITS][(row & CHUNK_MASK) * FIELDS + field] = value;
    }
}
