package dev.grapnel.store.engine;

import dev.grapnel.store.table.Postings;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/// Postings that were looked up one by one.
final class ArrayPostings implements Postings {
    private static final Comparator<Posting> ORDER = (left, right) -> {
        int order = Long.compareUnsigned(left.high(), right.high());
        return order != 0 ? order : Long.compareUnsigned(left.low(), right.low());
    };

    private final Posting[] sorted;
    private int at;

    ArrayPostings(List<Posting> postings) {
        this.sorted = postings.toArray(Posting[]::new);
        Arrays.sort(sorted, ORDER);
    }

    @Override
    public boolean isDone() {
        return at == sorted.length;
    }

    @Override
    public long high() {
        return sorted[at].high();
    }

    @Override
    public long low() {
        return sorted[at].low();
    }

    @Override
    public void next() {
        var before = sorted[at];
        do {
            at++;
        } while (!isDone() && sorted[at].equals(before));
    }

    @Override
    public void seek(long high, long low) {
        while (!isDone() && isBefore(high, low)) {
            at++;
        }
    }

    @Override
    public long size() {
        return sorted.length;
    }
}
