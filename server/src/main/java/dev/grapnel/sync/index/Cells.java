package dev.grapnel.sync.index;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;

/// A table of numbers that grows and never moves; what was never set is 0. It knows which of its blocks have changed
/// since somebody last asked.
final class Cells {
    /// Small enough that few changes mean few bytes.
    static final int BLOCK_BYTES = 4096;

    private static final int BLOCK_SHIFT = 12;
    private static final MemorySegment[] NONE = {};

    private final IndexTables tables;
    private final String name;
    private final int shift;
    private final int mask;
    private MemorySegment[] chunks = NONE;
    private int count;
    /// A bit for each block.
    private long[] changed = {};

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
        touch(at);
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
        touch(at);
        chunks[(int) (at >>> shift)].set(ValueLayout.JAVA_LONG, at & mask, value);
    }

    private void touch(long at) {
        int chunk = (int) (at >>> shift);
        while (chunk >= count) {
            append(tables.chunk(name));
            markChunk(count - 1);
        }
        mark((int) (at >>> BLOCK_SHIFT));
    }

    private void append(MemorySegment chunk) {
        if (count == chunks.length) {
            chunks = Arrays.copyOf(chunks, Math.max(4, count + (count >> 1)));
        }
        chunks[count] = chunk;
        count++;
        int words = (blocks() + Long.SIZE - 1) / Long.SIZE;
        if (words > changed.length) {
            changed = Arrays.copyOf(changed, Math.max(words, changed.length + (changed.length >> 1)));
        }
    }

    private void markChunk(int chunk) {
        int perChunk = 1 << (shift - BLOCK_SHIFT);
        for (int block = chunk * perChunk; block < (chunk + 1) * perChunk; block++) {
            mark(block);
        }
    }

    private void mark(int block) {
        changed[block >>> 6] |= 1L << block;
    }

    // ---- for those who keep it

    String name() {
        return name;
    }

    int chunkCount() {
        return count;
    }

    int blocks() {
        return count << (shift - BLOCK_SHIFT);
    }

    /// Begins with what somebody left.
    void adopt(List<MemorySegment> left) {
        left.forEach(this::append);
    }

    /// The first changed block from one on, which is no longer called changed; -1 if there is none.
    int takeChanged(int from) {
        int word = from >>> 6;
        if (word >= changed.length) {
            return -1;
        }
        long bits = changed[word] & (-1L << from);
        while (bits == 0) {
            word++;
            if (word >= changed.length) {
                return -1;
            }
            bits = changed[word];
        }
        int block = (word << 6) + Long.numberOfTrailingZeros(bits);
        changed[word] &= ~(1L << block);
        return block;
    }

    MemorySegment block(int block) {
        long at = (long) block << BLOCK_SHIFT;
        return chunks[(int) (at >>> shift)].asSlice(at & mask, BLOCK_BYTES);
    }

    /// What it takes.
    long bytes() {
        return (long) count << shift;
    }
}
