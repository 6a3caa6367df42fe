package dev.grapnel.sync.received;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/// The slots of [RefusedIndex] that take rows of [Waits]: of each source the oldest first, so that it can make room for
/// itself, and all of them in the order of the ring. Whatever is asked here costs the same, however many there are.
final class Waiters {
    private static final int NONE = -1;

    /// Of each slot the one before and the one after it, of the same source; a chunk is made when it is needed.
    private final int[][] links;

    private final BitSet all = new BitSet();
    private final Map<Integer, Row> sources = new HashMap<>();

    /// Those of one source.
    private static final class Row {
        private int first = NONE;
        private int last = NONE;
        private int rows;
    }

    /// @param chunks how many [RefusedChunk] there may be
    Waiters(int chunks) {
        this.links = new int[chunks][0];
    }

    void add(int slot, int source, int rows) {
        all.set(slot);
        var row = sources.computeIfAbsent(source, _ -> new Row());
        row.rows += rows;
        link(row, row.last, slot);
        link(row, slot, NONE);
    }

    void remove(int slot, int source, int rows) {
        all.clear(slot);
        var row = sources.get(source);
        if (row == null) {
            throw new IllegalStateException("nobody of this source waits");
        }
        row.rows -= rows;
        link(row, before(slot), after(slot));
        if (row.first == NONE) {
            sources.remove(source);
        }
    }

    private void link(Row row, int before, int after) {
        if (before == NONE) {
            row.first = after;
        } else {
            linksOf(before)[at(before) + 1] = after;
        }
        if (after == NONE) {
            row.last = before;
        } else {
            linksOf(after)[at(after)] = before;
        }
    }

    /// How many rows a source takes.
    int rows(int source) {
        var row = sources.get(source);
        return row == null ? 0 : row.rows;
    }

    /// Who of a source came first; somebody must be there.
    int first(int source) {
        var row = sources.get(source);
        if (row == null) {
            throw new IllegalStateException("nobody of this source waits");
        }
        return row.first;
    }

    /// The next slot that waits, this one included, around the ring; somebody must be there.
    int next(int slot) {
        int found = all.nextSetBit(slot);
        return found >= 0 ? found : all.nextSetBit(0);
    }

    private int before(int slot) {
        return linksOf(slot)[at(slot)];
    }

    private int after(int slot) {
        return linksOf(slot)[at(slot) + 1];
    }

    private int[] linksOf(int slot) {
        int number = slot / RefusedChunk.SIZE;
        if (links[number].length == 0) {
            links[number] = new int[2 * RefusedChunk.SIZE];
        }
        return links[number];
    }

    private static int at(int slot) {
        return slot % RefusedChunk.SIZE * 2;
    }
}
