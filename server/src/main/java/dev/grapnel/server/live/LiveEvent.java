package dev.grapnel.server.live;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.rule.Expiration;
import dev.grapnel.server.websocket.SharedText;
import java.time.Instant;

/// A new event on its way to subscribers.
///
/// @param number its commit number; [#EPHEMERAL] if it is not stored
/// @param text its bytes, the same for all who receive it
public record LiveEvent(long number, Event event, SharedText text) {
    /// Number of events that are not stored: greater than any commit.
    public static final long EPHEMERAL = Long.MAX_VALUE;

    static LiveEvent of(long number, Event event) {
        return new LiveEvent(number, event, new SharedText(event.json().buffer(), true));
    }

    /// Whether its time is over.
    public boolean isOver(Instant now) {
        return number != EPHEMERAL
                && Expiration.of(event).find().filter(time -> time.isOver(now)).isPresent();
    }
}
