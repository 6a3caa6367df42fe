package dev.grapnel.purgatory;

import dev.grapnel.nostr.event.EventId;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/// Ids of ephemeral events that were passed on a short while ago; at its bound the oldest are forgotten.
final class SeenIds {
    private final int idsMax;
    private final long nanos;
    private final LongSupplier nanoTime;
    private final ReentrantLock lock = new ReentrantLock();
    private final LinkedHashMap<EventId, Long> ids = new LinkedHashMap<>();

    SeenIds(int idsMax, Duration time, LongSupplier nanoTime) {
        this.idsMax = idsMax;
        this.nanos = time.toNanos();
        this.nanoTime = nanoTime;
    }

    boolean contains(EventId id) {
        lock.lock();
        try {
            forgetOld();
            return ids.containsKey(id);
        } finally {
            lock.unlock();
        }
    }

    /// Adds an id; false if it is here already.
    boolean add(EventId id) {
        lock.lock();
        try {
            forgetOld();
            if (ids.containsKey(id)) {
                return false;
            }
            if (ids.size() == idsMax) {
                ids.pollFirstEntry();
            }
            ids.put(id, nanoTime.getAsLong());
            return true;
        } finally {
            lock.unlock();
        }
    }

    void remove(EventId id) {
        lock.lock();
        try {
            ids.remove(id);
        } finally {
            lock.unlock();
        }
    }

    private void forgetOld() {
        long now = nanoTime.getAsLong();
        while (!ids.isEmpty() && now - ids.firstEntry().getValue() >= nanos) {
            ids.pollFirstEntry();
        }
    }
}
