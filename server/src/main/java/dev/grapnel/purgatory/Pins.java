package dev.grapnel.purgatory;

import dev.grapnel.nostr.event.EventId;
import dev.grapnel.purgatory.pool.Timeline;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Held events that a running push or fetch relies on: they do not expire meanwhile. Not durable, because
/// no push outlives the process.
public final class Pins {
    private static final Logger LOG = LoggerFactory.getLogger(Pins.class);

    private final Timeline time;
    private final long longest;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<EventId, Pinned> pinned = new HashMap<>();

    private record Pinned(int count, long since) {}

    /// @param limit how long a push or a fetch may take; a pin twice as old was forgotten by its owner
    ///     (P-253)
    public Pins(Timeline time, Duration limit) {
        this.time = time;
        this.longest = limit.toMillis() * 2;
    }

    /// Keeps an event until the pin is closed.
    public Pin pin(EventId id) {
        lock.lock();
        try {
            var before = pinned.get(id);
            int count = before == null ? 1 : before.count + 1;
            pinned.put(id, new Pinned(count, time.now()));
        } finally {
            lock.unlock();
        }
        return new Pin(id);
    }

    /// Whether an event must not expire now.
    public boolean isPinned(EventId id) {
        lock.lock();
        try {
            var found = pinned.get(id);
            if (found != null && time.now() - found.since > longest) {
                pinned.remove(id);
                LOG.error("pin forgotten by its owner event={}", id);
                return false;
            }
            return found != null;
        } finally {
            lock.unlock();
        }
    }

    private void unpin(EventId id) {
        lock.lock();
        try {
            var found = pinned.get(id);
            if (found != null && found.count > 1) {
                pinned.put(id, new Pinned(found.count - 1, found.since));
            } else {
                pinned.remove(id);
            }
        } finally {
            lock.unlock();
        }
    }

    /// Keeps an event as long as it is open.
    public final class Pin implements AutoCloseable {
        private final EventId id;
        private boolean isClosed;

        private Pin(EventId id) {
            this.id = id;
        }

        @Override
        public void close() {
            if (!isClosed) {
                isClosed = true;
                unpin(id);
            }
        }
    }
}
