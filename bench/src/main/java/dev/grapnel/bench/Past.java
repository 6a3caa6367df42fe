package dev.grapnel.bench;

import dev.grapnel.nostr.event.EventId;

/// What later events need of an earlier one.
record Past(EventId id, Person author, int kind, long createdAt) {
    String hex() {
        return id.toHex();
    }
}
