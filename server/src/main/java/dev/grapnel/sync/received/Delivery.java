package dev.grapnel.sync.received;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.outbound.RemoteUrl;
import dev.grapnel.sync.received.Arrivals.Outcome;
import dev.grapnel.sync.received.Arrivals.Path;
import java.util.function.Consumer;

/// An event that came, and who wants to know what becomes of it.
///
/// @param relay ordinal of where it came from
/// @param url its address, which may be forgotten before this is decided
/// @param attempts how often it was refused before
record Delivery(Event event, int relay, RemoteUrl url, Path path, int attempts, Consumer<Outcome> outcome) {
    EventId id() {
        return event.id();
    }

    EventType type() {
        return EventType.of(event.kind());
    }
}
