package dev.grapnel.store.engine;

import dev.grapnel.store.table.Postings;
import java.util.Collection;

/// Alternatives: the postings of several lists, each once. A heap of lists, the one that is furthest behind on
/// top.
final class UnionPostings implements Postings {
    private final Postings[] heap;
    private final Steps steps;
    private final long size;
    private int count;

    private UnionPostings(Postings[] lists, Steps steps) {
        this.heap = lists;
        this.steps = steps;
        this.count = lists.length;
        long sum = 0;
        for (var list : lists) {
            sum += list.size();
        }
        this.size = sum;
        for (int i = count / 2 - 1; i >= 0; i--) {
            siftDown(i);
        }
    }

    /// The union of lists; a single one stays as it is.
    static Postings of(Collection<Postings> lists, Steps steps) {
        var present = lists.stream().filter(list -> !list.isDone()).toArray(Postings[]::new);
        return present.length == 1 ? present[0] : new UnionPostings(present, steps);
    }

    @Override
    public boolean isDone() {
        return count == 0;
    }

    @Override
    public long high() {
        return heap[0].high();
    }

    @Override
    public long low() {
        return heap[0].low();
    }

    @Override
    public void next() {
        long high = high();
        long low = low();
        do {
            heap[0].next();
            settleTop();
        } while (count > 0 && heap[0].high() == high && heap[0].low() == low);
    }

    @Override
    public void seek(long high, long low) {
        while (count > 0 && heap[0].isBefore(high, low)) {
            heap[0].seek(high, low);
            settleTop();
        }
    }

    @Override
    public long size() {
        return size;
    }

    private void settleTop() {
        steps.take();
        if (heap[0].isDone()) {
            heap[0] = heap[--count];
        }
        siftDown(0);
    }

    private void siftDown(int from) {
        int parent = from;
        while (2 * parent + 1 < count) {
            int child = 2 * parent + 1;
            if (child + 1 < count && isBefore(heap[child + 1], heap[child])) {
                child++;
            }
            if (!isBefore(heap[child], heap[parent])) {
                return;
            }
            var moved = heap[parent];
            heap[parent] = heap[child];
            heap[child] = moved;
            parent = child;
        }
    }

    private static boolean isBefore(Postings left, Postings right) {
        return left.isBefore(right.high(), right.low());
    }
}
