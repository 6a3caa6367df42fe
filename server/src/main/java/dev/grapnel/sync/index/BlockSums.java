package dev.grapnel.sync.index;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.zip.CRC32C;

/// Sums of a table's blocks, and one over all of them that costs no more to keep than what changes.
final class BlockSums {
    private final int table;
    private final CRC32C crc = new CRC32C();
    private int[] sums = {};
    private boolean[] isKnown = {};
    private long total;

    /// @param table a number of its own, so that equal blocks of two tables are not alike
    BlockSums(int table) {
        this.table = table;
    }

    long total() {
        return total;
    }

    void put(int block, MemorySegment content) {
        if (block >= sums.length) {
            int length = Math.max(block + 1, sums.length + (sums.length >> 1));
            sums = Arrays.copyOf(sums, length);
            isKnown = Arrays.copyOf(isKnown, length);
        }
        if (isKnown[block]) {
            total -= spread(block);
        }
        crc.reset();
        crc.update(content.asByteBuffer());
        sums[block] = (int) crc.getValue();
        isKnown[block] = true;
        total += spread(block);
    }

    /// What a block adds: depends on where it is.
    private long spread(int block) {
        return new Salt(table).hash(block, sums[block]);
    }

    void clear() {
        sums = new int[0];
        isKnown = new boolean[0];
        total = 0;
    }
}
