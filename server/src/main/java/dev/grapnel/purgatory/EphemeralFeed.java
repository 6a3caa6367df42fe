package dev.grapnel.purgatory;

import dev.grapnel.nostr.event.Event;

/// Takes ephemeral events to those who listen now.
@FunctionalInterface
public interface EphemeralFeed {
    /// Hands an event on; false if there is no room for it at the moment.
    boolean pass(Event event);
}
