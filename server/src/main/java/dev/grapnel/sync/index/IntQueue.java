package dev.grapnel.sync.index;

import java.util.Arrays;

/// Numbers, first in, first out.
final class IntQueue {
    private int[] ring = new int[16];
    private int first;
    private int size;

    int size() {
        return size;
    }

    boolean isEmpty() {
        return size == 0;
    }

    void add(int value) {
        if (size == ring.length) {
            var longer = Arrays.copyOf(ring, size * 2);
            System.arraycopy(ring, first, longer, 0, size - first);
            System.arraycopy(ring, 0, longer, size - first, first);
            ring = longer;
            first = 0;
        }
        ring[(first + size) & (ring.length - 1)] = value;
        size++;
    }

    /// The first one; there must be one.
    int poll() {
        int value = ring[first];
        first = (first + 1) & (ring.length - 1);
        size--;
        return value;
    }

    /// All of them, the first one first.
    int[] toArray() {
        var all = new int[size];
        for (int place = 0; place < size; place++) {
            all[place] = ring[(first + place) & (ring.length - 1)];
        }
        return all;
    }

    void clear() {
        first = 0;
        size = 0;
    }
}
