package dev.grapnel.sync.received;

import dev.grapnel.nostr.event.EventId;
import dev.grapnel.store.row.RefusedEvent.Reason;
import java.time.Instant;

/// That an event was refused.
///
/// @param relay the address it came from
/// @param until when it may be asked for again
/// @param attempts how often it was judged
/// @param isCold whether it stays when the whole event is let go
/// @param group a hash of its identifier, if it waits for a change of that one's announcements; else -1
record RefusedEntry(
        EventId id,
        int kind,
        long createdAt,
        Reason reason,
        String relay,
        Instant refusedAt,
        Instant until,
        int attempts,
        boolean isCold,
        int group) {
    /// How many groups there are.
    static final int GROUPS = 1 << 16;

    /// The group of an identifier's hash.
    static int groupOf(long hash) {
        return (int) (hash & (GROUPS - 1));
    }

    EventType type() {
        return EventType.of(kind);
    }
}
