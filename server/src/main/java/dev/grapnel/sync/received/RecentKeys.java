package dev.grapnel.sync.received;

import java.util.LinkedHashMap;
import java.util.Map;

/// What has come while events were in the gate. An event that is refused although something it waits for came after it
/// had been given to the gate is judged again: otherwise it would wait for what is here.
final class RecentKeys {
    private static final int MAX = 1 << 16;

    private final Map<Long, Long> moments = new LinkedHashMap<>();
    private long now;
    private long forgottenUpTo = -1;

    /// The present moment.
    long now() {
        return now;
    }

    void note(long key) {
        now++;
        moments.remove(key);
        moments.put(key, now);
        if (moments.size() > MAX) {
            var oldest = moments.entrySet().iterator();
            forgottenUpTo = oldest.next().getValue();
            oldest.remove();
        }
    }

    /// Nobody is in the gate.
    void clear() {
        moments.clear();
    }

    /// Whether a key came after a moment, or may have.
    boolean isAfter(long moment, long key) {
        Long at = moments.get(key);
        return moment < forgottenUpTo || (at != null && at > moment);
    }
}
