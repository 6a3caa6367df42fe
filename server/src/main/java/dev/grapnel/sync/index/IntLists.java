package dev.grapnel.sync.index;

/// Many lists of numbers that grow at the end, most of them short; each is known by a number of its own.
/// Reading an entry costs the same wherever it is.
final class IntLists {
    private static final int WIDTH = 3;
    private static final int AT = 0;
    private static final int SIZE = 1;
    /// Power of two of the room, plus one: 0 means that there is none yet.
    private static final int ROOM = 2;

    private final Cells heads;
    private final Extents entries;
    private int count;

    IntLists(IndexTables tables, String name) {
        heads = new Cells(tables, name + "-heads");
        entries = new Extents(tables, name);
    }

    /// A new, empty list.
    int add() {
        int list = count;
        count++;
        heads.set(cell(list, ROOM), 0);
        return list;
    }

    int count() {
        return count;
    }

    int size(int list) {
        return heads.get(cell(list, SIZE));
    }

    int get(int list, int place) {
        return entries.get(heads.get(cell(list, AT)) + place);
    }

    void set(int list, int place, int value) {
        entries.set(heads.get(cell(list, AT)) + place, value);
    }

    /// @return the place of the new entry
    int append(int list, int value) {
        int size = size(list);
        int room = heads.get(cell(list, ROOM));
        if (room == 0 || size == 1 << (room - 1)) {
            grow(list, size, room);
        }
        entries.set(heads.get(cell(list, AT)) + size, value);
        heads.set(cell(list, SIZE), size + 1);
        return size;
    }

    /// Puts a value before the first greater one.
    void insertSorted(int list, int value) {
        int place = append(list, value);
        while (place > 0 && get(list, place - 1) > value) {
            set(list, place, get(list, place - 1));
            place--;
        }
        set(list, place, value);
    }

    /// Takes an entry out; the last one takes its place.
    void removeSwapping(int list, int place) {
        int last = size(list) - 1;
        set(list, place, get(list, last));
        heads.set(cell(list, SIZE), last);
    }

    /// The first place of a value; -1 if there is none.
    int indexOf(int list, int value) {
        int size = size(list);
        for (int place = 0; place < size; place++) {
            if (get(list, place) == value) {
                return place;
            }
        }
        return -1;
    }

    private void grow(int list, int size, int room) {
        int from = heads.get(cell(list, AT));
        int to = entries.take(room);
        for (int i = 0; i < size; i++) {
            entries.set(to + i, entries.get(from + i));
        }
        if (room > 0) {
            entries.giveBack(from, room - 1);
        }
        heads.set(cell(list, AT), to);
        heads.set(cell(list, ROOM), room + 1);
    }

    private static long cell(int list, int column) {
        return (long) list * WIDTH + column;
    }

    long bytes() {
        return heads.bytes() + entries.bytes();
    }
}
