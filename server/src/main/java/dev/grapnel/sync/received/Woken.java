package dev.grapnel.sync.received;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.outbound.RemoteUrl;

/// A refused event that something it waited for has come for. It is refused no more.
sealed interface Woken {
    /// It is still here.
    ///
    /// @param url the address of the relay it came from
    record Whole(Event event, int relay, RemoteUrl url, int attempts) implements Woken {}

    /// Only its id is.
    ///
    /// @param relay the address it came from
    record Named(EventId id, String relay, int attempts) implements Woken {}
}
