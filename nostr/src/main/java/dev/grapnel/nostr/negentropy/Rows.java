package dev.grapnel.nostr.negentropy;

/// Algorithms on rows of a fixed number of longs laid end to end in one array, ordered word by word without sign.
/// Keeps a million items sortable in place without an object for each.
final class Rows {
    private static final int INSERTION_MAX = 16;

    private Rows() {}

    static int compare(long[] rows, int width, int left, long[] others, int right) {
        int x = left * width;
        int y = right * width;
        for (int word = 0; word < width; word++) {
            if (rows[x + word] != others[y + word]) {
                return Long.compareUnsigned(rows[x + word], others[y + word]);
            }
        }
        return 0;
    }

    static void reverse(long[] rows, int width, int from, int to) {
        for (int low = from, high = to - 1; low < high; low++, high--) {
            swap(rows, width, low, high);
        }
    }

    /// Removes repeats from sorted rows; the new end.
    static int distinct(long[] rows, int width, int from, int to) {
        int end = from;
        for (int row = from; row < to; row++) {
            if (end == from || compare(rows, width, end - 1, rows, row) != 0) {
                System.arraycopy(rows, row * width, rows, end * width, width);
                end++;
            }
        }
        return end;
    }

    /// Sorts in place: one pass when the rows ascend or descend already, otherwise quicksort, which turns into
    /// heapsort where pivots are bad, so that no order a stranger chooses costs more than n log n.
    static void sort(long[] rows, int width, int from, int to) {
        if (ascends(rows, width, from, to)) {
            return;
        }
        if (descends(rows, width, from, to)) {
            reverse(rows, width, from, to);
            return;
        }
        int depthMax = 2 * (32 - Integer.numberOfLeadingZeros(to - from));
        quicksort(rows, width, from, to, depthMax);
    }

    private static boolean ascends(long[] rows, int width, int from, int to) {
        int row = from + 1;
        while (row < to && compare(rows, width, row - 1, rows, row) <= 0) {
            row++;
        }
        return row >= to;
    }

    private static boolean descends(long[] rows, int width, int from, int to) {
        int row = from + 1;
        while (row < to && compare(rows, width, row - 1, rows, row) >= 0) {
            row++;
        }
        return row >= to;
    }

    private static void quicksort(long[] rows, int width, int from, int to, int depthMax) {
        int low = from;
        int high = to;
        int depth = depthMax;
        while (high - low > INSERTION_MAX) {
            if (depth-- == 0) {
                heapsort(rows, width, low, high);
                return;
            }
            int middle = partition(rows, width, low, high);
            quicksort(rows, width, middle, high, depth);
            high = middle;
        }
        insertionSort(rows, width, low, high);
    }

    /// Hoare's partition around the median of three; both parts have at least one row.
    private static int partition(long[] rows, int width, int from, int to) {
        medianFirst(rows, width, from, to);
        var pivot = new long[width];
        System.arraycopy(rows, from * width, pivot, 0, width);
        int low = from - 1;
        int high = to;
        while (true) {
            do {
                low++;
            } while (compare(rows, width, low, pivot, 0) < 0);
            do {
                high--;
            } while (compare(rows, width, high, pivot, 0) > 0);
            if (low >= high) {
                return high + 1;
            }
            swap(rows, width, low, high);
        }
    }

    private static void medianFirst(long[] rows, int width, int from, int to) {
        int middle = (from + to) >>> 1;
        int last = to - 1;
        if (compare(rows, width, middle, rows, from) < 0) {
            swap(rows, width, middle, from);
        }
        if (compare(rows, width, last, rows, from) < 0) {
            swap(rows, width, last, from);
        }
        // The smallest is first now, so the median is the smaller of the other two.
        swap(rows, width, from, compare(rows, width, middle, rows, last) <= 0 ? middle : last);
    }

    private static void insertionSort(long[] rows, int width, int from, int to) {
        for (int next = from + 1; next < to; next++) {
            for (int row = next; row > from && compare(rows, width, row - 1, rows, row) > 0; row--) {
                swap(rows, width, row - 1, row);
            }
        }
    }

    static void heapsort(long[] rows, int width, int from, int to) {
        int size = to - from;
        for (int root = size / 2 - 1; root >= 0; root--) {
            siftDown(rows, width, from, root, size);
        }
        for (int last = size - 1; last > 0; last--) {
            swap(rows, width, from, from + last);
            siftDown(rows, width, from, 0, last);
        }
    }

    private static void siftDown(long[] rows, int width, int from, int start, int size) {
        int root = start;
        while (2 * root + 1 < size) {
            int child = 2 * root + 1;
            if (child + 1 < size && compare(rows, width, from + child, rows, from + child + 1) < 0) {
                child++;
            }
            if (compare(rows, width, from + root, rows, from + child) >= 0) {
                return;
            }
            swap(rows, width, from + root, from + child);
            root = child;
        }
    }

    private static void swap(long[] rows, int width, int left, int right) {
        int x = left * width;
        int y = right * width;
        for (int word = 0; word < width; word++) {
            long kept = rows[x + word];
            rows[x + word] = rows[y + word];
            rows[y + word] = kept;
        }
    }
}
