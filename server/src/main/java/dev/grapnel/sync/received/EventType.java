package dev.grapnel.sync.received;

import dev.grapnel.nostr.event.Kinds;

/// How metrics tell refused events apart (sync 9.1).
public enum EventType {
    ANNOUNCEMENT,
    STATE,
    OTHER;

    /// The type of a kind.
    static EventType of(int kind) {
        return switch (kind) {
            case Kinds.ANNOUNCEMENT -> ANNOUNCEMENT;
            case Kinds.STATE -> STATE;
            default -> OTHER;
        };
    }
}
