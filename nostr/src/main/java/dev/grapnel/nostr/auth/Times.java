package dev.grapnel.nostr.auth;

import dev.grapnel.nostr.event.Event;
import java.time.Duration;
import java.time.Instant;

/// Whether a proof was made just now.
final class Times {
    private Times() {}

    static boolean isWithin(Event event, Instant now, Duration tolerance) {
        return Math.abs(event.createdAt() - now.getEpochSecond()) <= tolerance.toSeconds();
    }
}
