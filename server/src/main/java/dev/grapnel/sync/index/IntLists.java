package dev.grapnel.sync.index;

/// Many lists of numbers that grow at the end, most of them short; each is known by a number of its own.
/// Reading an entry costs the same wherever it is. What is known of each list, its head, takes two cells, in a table of
/// its own or beside something else that has the same number.
final class IntLists {
    static final int HEAD_WIDTH = 2;
    private static final int AT = 0;
    /// How many entries, and above that the power of two of the room, plus one: 0 means that there is none yet.
    private static final int SIZE = 1;

    private static final int SIZE_BITS = 27;
    private static final int SIZE_MASK = (1 << SIZE_BITS) - 1;

    /// Bits of the first cell of a head that are not used here.
    static final int SPARE_BITS = -1 << Extents.PLACE_BITS;

    private final Cells heads;
    private final boolean areHeadsOurs;
    private final int width;
    private final int column;
    private final Extents entries;
    private int count;

    IntLists(IndexTables tables, String name) {
        this(tables, name, new Cells(tables, name + "-heads"), true, HEAD_WIDTH, 0);
    }

    private IntLists(IndexTables tables, String name, Cells heads, boolean areHeadsOurs, int width, int column) {
        this.heads = heads;
        this.areHeadsOurs = areHeadsOurs;
        this.width = width;
        this.column = column;
        this.entries = new Extents(tables, name);
    }

    /// Lists whose heads are in the rows of another table, which makes, clears and keeps them.
    ///
    /// @param width cells of a row
    /// @param column where the head begins
    static IntLists beside(IndexTables tables, String name, Cells rows, int width, int column) {
        return new IntLists(tables, name, rows, false, width, column);
    }

    /// A new, empty list.
    int add() {
        int list = count;
        count++;
        heads.set(cell(list, SIZE), 0);
        return list;
    }

    int count() {
        return count;
    }

    int size(int list) {
        return heads.get(cell(list, SIZE)) & SIZE_MASK;
    }

    int get(int list, int place) {
        return entries.get(at(list) + place);
    }

    void set(int list, int place, int value) {
        entries.set(at(list) + place, value);
    }

    /// Adds an entry.
    ///
    /// @return its place
    int append(int list, int value) {
        int size = size(list);
        int room = room(list);
        if (room == 0 || size == 1 << (room - 1)) {
            grow(list, size, room);
        }
        entries.set(at(list) + size, value);
        setSize(list, size + 1, room(list));
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
        setSize(list, last, room(list));
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
        int from = at(list);
        int to = entries.take(room);
        for (int i = 0; i < size; i++) {
            entries.set(to + i, entries.get(from + i));
        }
        if (room > 0) {
            entries.giveBack(from, room - 1);
        }
        heads.set(cell(list, AT), (heads.get(cell(list, AT)) & SPARE_BITS) | to);
        setSize(list, size, room + 1);
    }

    private int at(int list) {
        return heads.get(cell(list, AT)) & ~SPARE_BITS;
    }

    private int room(int list) {
        return heads.get(cell(list, SIZE)) >>> SIZE_BITS;
    }

    private void setSize(int list, int size, int room) {
        if (size > SIZE_MASK) {
            throw new IllegalStateException("more entries than a list holds");
        }
        heads.set(cell(list, SIZE), room << SIZE_BITS | size);
    }

    private long cell(int list, int part) {
        return (long) list * width + column + part;
    }

    void keep(Kept kept) {
        count = kept.number(count);
        if (areHeadsOurs) {
            kept.table(heads);
        }
        entries.keep(kept);
    }

    long bytes() {
        return (areHeadsOurs ? heads.bytes() : 0) + entries.bytes();
    }
}
