package dev.grapnel.bench.load;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/// What a scenario did not expect: how often, and the first of each sort. A run with any of them proves
/// nothing.
final class Surprises {
    private static final int SORTS_MAX = 50;

    private final Map<String, Surprise> sorts = new LinkedHashMap<>();
    private final ReentrantLock lock = new ReentrantLock();
    private long count;

    /// How often something happened, and what it looked like the first time.
    record Surprise(long count, String example) {}

    void add(String sort, String example) {
        add(sort, 1, example);
    }

    void add(String sort, long times, String example) {
        lock.lock();
        try {
            count += times;
            var kept = sorts.size() < SORTS_MAX || sorts.containsKey(sort) ? sort : "others";
            sorts.merge(
                    kept,
                    new Surprise(times, example),
                    (old, more) -> new Surprise(old.count + more.count, old.example));
        } finally {
            lock.unlock();
        }
    }

    long count() {
        lock.lock();
        try {
            return count;
        } finally {
            lock.unlock();
        }
    }

    /// All of them, in the order of their first appearance.
    Map<String, Surprise> sorts() {
        lock.lock();
        try {
            return new LinkedHashMap<>(sorts);
        } finally {
            lock.unlock();
        }
    }
}
