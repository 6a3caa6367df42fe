package dev.grapnel.sync.received;

import dev.grapnel.nostr.event.EventId;
import java.util.LinkedHashSet;
import java.util.SequencedSet;

/// That an event is served is told by the gate, and again by the archive. Both mean the same, and what it wakes must
/// not
/// be woken twice. A fixed number, the oldest out first.
final class ServedTwice {
    private static final int MAX = 10_000;

    private final SequencedSet<EventId> ids = new LinkedHashSet<>();

    /// The gate has told.
    void note(EventId id) {
        ids.add(id);
        if (ids.size() > MAX) {
            ids.removeFirst();
        }
    }

    /// The archive tells: whether the gate has before.
    boolean take(EventId id) {
        return ids.remove(id);
    }
}
