package dev.grapnel.purgatory;

import dev.grapnel.nostr.event.Event;
import java.util.Optional;

/// Takes ephemeral events to those who listen now.
@FunctionalInterface
public interface EphemeralFeed {
    /// Keeps room for an event; nothing if there is none at the moment. Whoever gets a passage must use it,
    /// once: then the event is handed on.
    Optional<Runnable> reserve(Event event);
}
