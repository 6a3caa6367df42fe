package dev.grapnel.sync.link;

import dev.grapnel.sync.world.Scheduler;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/// Filters that a relay refused as such, and until when each is left alone, whatever connections come and go (R4.3). At
/// its bound the oldest is forgotten, and refused once more.
final class RefusedFilters {
    private static final int FILTERS_MAX = 512;
    /// What was refused along with something is asked for along with it.
    static final Duration TOGETHER = Duration.ofSeconds(30);

    private final Scheduler loop;
    private final Map<Long, Long> until = new LinkedHashMap<>();

    RefusedFilters(Scheduler loop) {
        this.loop = loop;
    }

    boolean isEmpty() {
        return until.isEmpty();
    }

    void add(long fingerprint, Duration time) {
        if (fingerprint != 0) {
            until.put(fingerprint, loop.nanos() + time.toNanos());
            if (until.size() > FILTERS_MAX) {
                until.remove(until.keySet().iterator().next());
            }
        }
    }

    /// How long a task's filter is left alone; zero if it is not.
    Duration left(Task task) {
        return until.isEmpty() ? Duration.ZERO : left(task.fingerprint());
    }

    /// The same by its fingerprint.
    Duration left(long fingerprint) {
        var end = until.get(fingerprint);
        return end == null ? Duration.ZERO : Duration.ofNanos(Math.max(0, end - loop.nanos()));
    }

    /// How long until the first of them may be asked for again, and those that were refused along with it.
    Duration soonest() {
        long now = loop.nanos();
        var left = until.values().stream()
                .mapToLong(end -> end - now)
                .filter(nanos -> nanos > 0)
                .min();
        return left.isPresent() ? Duration.ofNanos(left.getAsLong()).plus(TOGETHER) : Refusals.POLICY_TIME;
    }
}
