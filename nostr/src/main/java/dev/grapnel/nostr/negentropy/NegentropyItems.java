package dev.grapnel.nostr.negentropy;

import dev.grapnel.nostr.event.EventId;
import java.util.Arrays;
import java.util.Objects;

/// The frozen set one session reconciles: (created_at, id) in ascending order, without repeats, 40 bytes each.
///
/// Ids are not stored. Row `i` holds item `i`'s time and the sum of all ids *before* it, modulo 2^256; one more
/// row at the end holds the sum of all. The sum of any range is then one subtraction, so a fingerprint costs the
/// same for ten items as for a million, and a stranger who asks for thousands of fingerprints in one message buys
/// thousands of hashes and nothing more. And id `i` is still there: it is the sum before `i + 1` less the sum
/// before `i`. Keeping ids beside the sums would cost 72 bytes and say everything twice.
public final class NegentropyItems {
    /// The latest time an item may have; bounds may lie beyond it.
    public static final long CREATED_AT_MAX = (1L << 53) - 1;

    /// The most items a limit may allow: all their ids still fit into one array of bytes.
    public static final int ITEMS_MAX = 1 << 25;

    private static final int WIDTH = 5;

    private final long[] rows;
    private final int size;

    private NegentropyItems(long[] rows, int size) {
        this.rows = rows;
        this.size = size;
    }

    /// Collects at most `itemsMax` items; `expected` of them fit without growing.
    public static Builder builder(int expected, int itemsMax) {
        return new Builder(expected, itemsMax);
    }

    /// How many items there are.
    public int size() {
        return size;
    }

    /// The time of an item.
    public long createdAt(int index) {
        return rows[Objects.checkIndex(index, size) * WIDTH];
    }

    /// The id of an item.
    public EventId id(int index) {
        return sum(Objects.checkIndex(index, size), index + 1).toId();
    }

    /// Bytes of memory held, for the limit on all sessions together.
    public long memoryBytes() {
        return (long) rows.length * Long.BYTES;
    }

    /// Sum of the ids in a range.
    Sum256 sum(int from, int to) {
        return sumBefore(to).minus(sumBefore(from));
    }

    /// The first index from `from` on whose item is not below the bound.
    int lowerBound(int from, Bound bound) {
        int low = from;
        int high = size;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (isBelow(middle, bound)) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /// The shortest bound between an item and the one before it.
    Bound separatorBefore(int index) {
        long createdAt = createdAt(index);
        return createdAt(index - 1) == createdAt
                ? Bound.separating(createdAt, id(index - 1), id(index))
                : Bound.at(createdAt);
    }

    /// The bound that is exactly an item.
    Bound boundAt(int index) {
        return new Bound(createdAt(index), id(index), EventId.BYTES);
    }

    private boolean isBelow(int index, Bound bound) {
        int order = Long.compareUnsigned(createdAt(index), bound.timestamp());
        return order < 0 || (order == 0 && id(index).compareTo(bound.prefix()) < 0);
    }

    private Sum256 sumBefore(int index) {
        int at = index * WIDTH;
        return new Sum256(rows[at + 1], rows[at + 2], rows[at + 3], rows[at + 4]);
    }

    /// Takes items in any order. The store's order (newest first, ids ascending within a second) and ascending
    /// order are sealed in linear time.
    public static final class Builder {
        private final int itemsMax;
        private long[] rows;
        private int size;

        private Builder(int expected, int itemsMax) {
            if (itemsMax < 0 || itemsMax > ITEMS_MAX) {
                throw new IllegalArgumentException("itemsMax must be 0 to " + ITEMS_MAX);
            }
            if (expected < 0) {
                throw new IllegalArgumentException("expected must not be negative");
            }
            this.itemsMax = itemsMax;
            this.rows = new long[rowsFor(Math.min(expected, itemsMax))];
        }

        /// Adds an item; false when the limit is reached and it was left out. Repeats count until [#seal].
        public boolean add(long createdAt, EventId id) {
            if (createdAt < 0 || createdAt > CREATED_AT_MAX) {
                throw new IllegalArgumentException("createdAt must be 0 to 2^53-1");
            }
            if (size == itemsMax) {
                return false;
            }
            int at = size * WIDTH;
            if (rowsFor(size + 1) > rows.length) {
                rows = Arrays.copyOf(rows, rowsFor(grownCapacity()));
            }
            rows[at] = createdAt;
            rows[at + 1] = id.a();
            rows[at + 2] = id.b();
            rows[at + 3] = id.c();
            rows[at + 4] = id.d();
            size++;
            return true;
        }

        /// How many were added.
        public int size() {
            return size;
        }

        /// Sorts, drops repeats and freezes. The builder is empty afterwards.
        public NegentropyItems seal() {
            sort();
            size = Rows.distinct(rows, WIDTH, 0, size);
            int needed = rowsFor(size);
            long[] sealed = rows.length - needed <= needed / 8 ? rows : Arrays.copyOf(rows, needed);
            turnIdsIntoSums(sealed, size);
            var items = new NegentropyItems(sealed, size);
            rows = new long[rowsFor(0)];
            size = 0;
            return items;
        }

        private void sort() {
            if (timesDescend()) {
                Rows.reverse(rows, WIDTH, 0, size);
            }
            if (timesAscend()) {
                sortWithinSeconds();
            } else {
                Rows.sort(rows, WIDTH, 0, size);
            }
        }

        private void sortWithinSeconds() {
            int from = 0;
            for (int row = 1; row <= size; row++) {
                if (row == size || time(row) != time(from)) {
                    Rows.sort(rows, WIDTH, from, row);
                    from = row;
                }
            }
        }

        private boolean timesDescend() {
            int row = 1;
            while (row < size && time(row - 1) >= time(row)) {
                row++;
            }
            return row >= size;
        }

        private boolean timesAscend() {
            int row = 1;
            while (row < size && time(row - 1) <= time(row)) {
                row++;
            }
            return row >= size;
        }

        private long time(int row) {
            return rows[row * WIDTH];
        }

        private int grownCapacity() {
            return Math.min(itemsMax, size + (size >> 1) + 16);
        }

        /// Longs for so many items and the last row.
        private static int rowsFor(int items) {
            return (items + 1) * WIDTH;
        }

        private static void turnIdsIntoSums(long[] rows, int size) {
            var before = Sum256.ZERO;
            for (int at = 0; at < size * WIDTH; at += WIDTH) {
                var id = new EventId(rows[at + 1], rows[at + 2], rows[at + 3], rows[at + 4]);
                putSum(rows, at, before);
                before = before.plus(Sum256.of(id));
            }
            putSum(rows, size * WIDTH, before);
        }

        private static void putSum(long[] rows, int at, Sum256 sum) {
            rows[at + 1] = sum.w0();
            rows[at + 2] = sum.w1();
            rows[at + 3] = sum.w2();
            rows[at + 4] = sum.w3();
        }
    }
}
