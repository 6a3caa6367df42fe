package dev.grapnel.store.engine;

import dev.grapnel.store.table.Postings;
import java.util.List;

/// Postings that were looked up one by one.
final class ArrayPostings implements Postings {
    private final List<Posting> sorted;
    private int at;

    ArrayPostings(List<Posting> postings) {
        this.sorted = postings.stream()
                .sorted((left, right) -> {
                    int order = Long.compareUnsigned(left.high(), right.high());
                    return order != 0 ? order : Long.compareUnsigned(left.low(), right.low());
                })
                .distinct()
                .toList();
    }

    @Override
    public boolean isDone() {
        return at == sorted.size();
    }

    @Override
    public long high() {
        return sorted.get(at).high();
    }

    @Override
    public long low() {
        return sorted.get(at).low();
    }

    @Override
    public void next() {
        at++;
    }

    @Override
    public void seek(long high, long low) {
        while (!isDone() && isBefore(high, low)) {
            at++;
        }
    }

    @Override
    public long size() {
        return sorted.size();
    }
}
