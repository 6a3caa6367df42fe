package dev.grapnel.sync.index;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/// A table of numbers that grows and never moves; what was never set is 0.
final class Cells {
    private static final MemorySegment[] NONE = {};

    private final IndexTables tables;
    private final String name;
    private final int shift;
    private final int mask;
    private MemorySegment[] chunks = NONE;
    private int count;

    Cells(IndexTables tables, String name) {
        this.tables = tables;
        this.name = name;
        this.shift = Integer.numberOfTrailingZeros(tables.chunkBytes());
        this.mask = tables.chunkBytes() - 1;
    }

    /// An `int` cell. Those of one table are either all `int` or all `long`.
    int get(long cell) {
        long at = cell << 2;
        return chunks[(int) (at >>> shift)].get(ValueLayout.JAVA_INT, at & mask);
    }

    /// Sets an `int` cell, and makes room for it.
    void set(long cell, int value) {
        long at = cell << 2;
        reserve(at);
        chunks[(int) (at >>> shift)].set(ValueLayout.JAVA_INT, at & mask, value);
    }

    /// A `long` cell.
    long getLong(long cell) {
        long at = cell << 3;
        return chunks[(int) (at >>> shift)].get(ValueLayout.JAVA_LONG, at & mask);
    }

    /// Sets a `long` cell, and makes room for it.
    void setLong(long cell, long value) {
        long at = cell << 3;
        reserve(at);
        chunks[(int) (at >>> shift)].set(ValueLayout.JAVA_LONG, at & mask, value);
    }

    private void reserve(long at) {
        int chunk = (int) (at >>> shift);
        while (chunk >= count) {
            if (count == chunks.length) {
                chunks = Arrays.copyOf(chunks, Math.max(4, count + (count >> 1)));
            }
            chunks[count] = tables.chunk(name);
            count++;
        }
    }

    /// What it takes.
    long bytes() {
        return (long) count << shift;
    }
}
