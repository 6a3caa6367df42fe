package dev.grapnel.store.memory;

import java.util.Arrays;
import java.util.Comparator;

/// One posting of one list, in the order of lists and then of postings.
final class ListKey {
    static final Comparator<ListKey> ORDER = (left, right) -> {
        int sign = Arrays.compareUnsigned(left.list, right.list);
        if (sign == 0) {
            sign = Long.compareUnsigned(left.high, right.high);
        }
        return sign != 0 ? sign : Long.compareUnsigned(left.low, right.low);
    };

    private final byte[] list;
    private final long high;
    private final long low;

    ListKey(byte[] list, long high, long low) {
        this.list = list;
        this.high = high;
        this.low = low;
    }

    byte[] list() {
        return list.clone();
    }

    long high() {
        return high;
    }

    long low() {
        return low;
    }

    boolean isIn(byte[] other) {
        return Arrays.equals(list, other);
    }
}
