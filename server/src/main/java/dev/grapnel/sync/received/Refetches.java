package dev.grapnel.sync.received;

import dev.grapnel.nostr.event.EventId;

/// Asks relays for single events again (R7.22). On the loop; perhaps thousands of times in a turn, so it only notes.
@FunctionalInterface
public interface Refetches {
    /// Wants an event from the relay it once came from. If that is not connected nothing need happen: the event is no
    /// longer excluded and comes with the next sync.
    void refetch(int relay, EventId id);
}
