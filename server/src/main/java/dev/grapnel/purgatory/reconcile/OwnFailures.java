package dev.grapnel.purgatory.reconcile;

import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.purgatory.pool.Timeline;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/// Identifiers whose last run failed because of something of ours, such as a full disk. What waits there does not
/// expire meanwhile (purgatory 5.5): its senders have done their part. There are no more than have something to do.
public final class OwnFailures {
    private final Timeline time;
    private final long longest;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Identifier, Failing> failing = new HashMap<>();

    private record Failing(int count, long since) {}

    /// @param longest for how long expiry rests at most
    public OwnFailures(Timeline time, Duration longest) {
        this.time = time;
        this.longest = longest.toMillis();
    }

    /// How often it had failed before this time.
    int add(Identifier identifier) {
        lock.lock();
        try {
            var before = failing.get(identifier);
            int count = before == null ? 0 : before.count;
            failing.put(identifier, new Failing(count + 1, before == null ? time.now() : before.since));
            return count;
        } finally {
            lock.unlock();
        }
    }

    void remove(Identifier identifier) {
        lock.lock();
        try {
            failing.remove(identifier);
        } finally {
            lock.unlock();
        }
    }

    /// Whether what waits under a name is kept beyond its time.
    public boolean keep(Identifier identifier) {
        lock.lock();
        try {
            var found = failing.get(identifier);
            return found != null && time.now() - found.since <= longest;
        } finally {
            lock.unlock();
        }
    }
}
