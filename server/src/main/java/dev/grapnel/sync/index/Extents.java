package dev.grapnel.sync.index;

import java.util.Arrays;

/// Runs of `int` cells whose lengths are powers of two. What was given back is taken again first.
final class Extents {
    /// Of which a place consists, at most.
    static final int PLACE_BITS = 30;

    private static final int NONE = -1;

    private final Cells cells;
    private final int[] free = new int[Integer.SIZE - 1];
    private int end;

    Extents(IndexTables tables, String name) {
        cells = new Cells(tables, name);
        Arrays.fill(free, NONE);
    }

    /// A run of `1 << power` cells, whatever they hold.
    int take(int power) {
        int at = free[power];
        if (at != NONE) {
            free[power] = cells.get(at);
            return at;
        }
        at = end;
        if (end + (1L << power) > 1L << PLACE_BITS) {
            throw new IllegalStateException("more entries than lists hold");
        }
        end += 1 << power;
        cells.set(end - 1, 0);
        return at;
    }

    void giveBack(int at, int power) {
        cells.set(at, free[power]);
        free[power] = at;
    }

    int get(int at) {
        return cells.get(at);
    }

    void set(int at, int value) {
        cells.set(at, value);
    }

    void keep(Kept kept) {
        kept.table(cells);
        end = kept.number(end);
        var left = kept.numbers(free);
        System.arraycopy(left, 0, free, 0, free.length);
    }

    long bytes() {
        return cells.bytes();
    }
}
