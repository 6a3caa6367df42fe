package dev.grapnel.sync.received;

import dev.grapnel.nostr.event.EventId;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Queue;

/// Events that are dated ahead, by when they are not any more. A fixed number: those beyond it are found by the next
/// sync.
final class AheadQueue {
    private static final int MAX = 10_000;

    private final Queue<Due> queue =
            new PriorityQueue<>(Comparator.comparing(Due::at).thenComparing(Due::id));

    private record Due(Instant at, EventId id) {}

    void add(Instant at, EventId id) {
        if (queue.size() < MAX) {
            queue.add(new Due(at, id));
        }
    }

    /// The next one that is due.
    Optional<EventId> poll(Instant now) {
        var first = queue.peek();
        if (first == null || first.at().isAfter(now)) {
            return Optional.empty();
        }
        queue.remove();
        return Optional.of(first.id());
    }
}
