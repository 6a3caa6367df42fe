package dev.grapnel.sync.received;

import dev.grapnel.nostr.event.EventId;
import java.util.LinkedHashMap;
import java.util.Map;

/// How often events were refused that are being asked for again. A fixed number, the oldest out first.
final class PastAttempts {
    private static final int MAX = 20_000;

    private final Map<EventId, Integer> attempts = new LinkedHashMap<>();

    void note(EventId id, int count) {
        attempts.remove(id);
        attempts.put(id, count);
        if (attempts.size() > MAX) {
            var oldest = attempts.entrySet().iterator();
            oldest.next();
            oldest.remove();
        }
    }

    /// How often an event was refused that comes now.
    int take(EventId id) {
        Integer count = attempts.remove(id);
        return count == null ? 0 : count;
    }
}
