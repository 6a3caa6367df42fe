package dev.grapnel.git.client;

import dev.grapnel.nostr.repository.Oid;
import java.util.Arrays;

/// Many ids in twenty bytes each: what servers advertise is kept as long as a visit lasts, and strangers
/// decide how much that is.
final class IdSet {
    private long[] a = new long[64];
    private long[] b = new long[64];
    private int[] c = new int[64];
    private int size;
    private boolean isSorted = true;

    void add(Oid id) {
        if (size == a.length) {
            int more = size + size / 2;
            a = Arrays.copyOf(a, more);
            b = Arrays.copyOf(b, more);
            c = Arrays.copyOf(c, more);
        }
        a[size] = id.a();
        b[size] = id.b();
        c[size] = id.c();
        size++;
        isSorted = false;
    }

    int size() {
        return size;
    }

    boolean contains(Oid id) {
        if (!isSorted) {
            throw new IllegalStateException("the set is still being made");
        }
        int low = 0;
        int high = size - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            int order = at(middle).compareTo(id);
            if (order == 0) {
                return true;
            }
            if (order < 0) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return false;
    }

    /// Nothing more is added. A heap sort: no order that somebody chose makes it slow, and it takes no
    /// memory.
    void finish() {
        for (int root = size / 2 - 1; root >= 0; root--) {
            sink(root, size);
        }
        for (int end = size - 1; end > 0; end--) {
            swap(0, end);
            sink(0, end);
        }
        isSorted = true;
    }

    private void sink(int from, int end) {
        int root = from;
        for (int child = 2 * root + 1; child < end; child = 2 * root + 1) {
            if (child + 1 < end && isLess(child, child + 1)) {
                child++;
            }
            if (!isLess(root, child)) {
                return;
            }
            swap(root, child);
            root = child;
        }
    }

    private boolean isLess(int one, int other) {
        return at(one).compareTo(at(other)) < 0;
    }

    private Oid at(int position) {
        return new Oid(a[position], b[position], c[position]);
    }

    private void swap(int one, int other) {
        long wasA = a[one];
        long wasB = b[one];
        int wasC = c[one];
        a[one] = a[other];
        b[one] = b[other];
        c[one] = c[other];
        a[other] = wasA;
        b[other] = wasB;
        c[other] = wasC;
    }
}
