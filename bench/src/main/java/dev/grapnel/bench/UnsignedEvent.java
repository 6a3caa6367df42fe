package dev.grapnel.bench;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.event.EventLimits;
import dev.grapnel.nostr.event.EventReader;
import dev.grapnel.nostr.event.ParsedEvent;
import dev.grapnel.nostr.key.Signature;

/// An event that lacks nothing but its signature. Between writing it, which must happen in order because
/// later events name its id, and signing it, which may happen anywhere.
final class UnsignedEvent {
    private static final EventReader READER = new EventReader(EventLimits.DEFAULTS);

    private final Past past;
    private final byte[] json;

    /// @param json the whole event, with room for a signature
    UnsignedEvent(Past past, byte[] json) {
        this.past = past;
        this.json = json;
    }

    /// What later events need of it.
    Past past() {
        return past;
    }

    EventId id() {
        return past.id();
    }

    /// The event; to be called once.
    Event sign(Signatures signatures) {
        int at = json.length - 2 - Signature.DIGITS;
        signatures.write(past.id(), past.author().key(), json, at);
        return switch (READER.read(json)) {
            case ParsedEvent.Valid(var event) -> event;
            case ParsedEvent.Defective(var _, var defect) -> throw new IllegalStateException(defect.text());
            case ParsedEvent.Nameless(var defect) -> throw new IllegalStateException(defect.text());
            case ParsedEvent.Unreadable(var reason) -> throw new IllegalStateException(reason);
        };
    }
}
