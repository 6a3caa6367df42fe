package dev.grapnel.bench.sync;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventDraft;
import dev.grapnel.nostr.event.EventLimits;
import dev.grapnel.nostr.event.EventReader;
import dev.grapnel.nostr.event.ParsedEvent;
import dev.grapnel.nostr.json.JsonWriter;
import dev.grapnel.nostr.key.PublicKey;
import java.util.List;

/// Events by the million, for those who do not look at signatures.
final class UnsignedEvents {
    private static final EventReader READER = new EventReader(EventLimits.DEFAULTS);
    private static final String SIGNATURE = "0".repeat(128);

    private UnsignedEvents() {}

    /// An event with one tag.
    static Event make(PublicKey author, long second, int kind, String name, String value) {
        var draft = new EventDraft(second, kind, List.of(List.of(name, value)), "");
        var out = new JsonWriter(512)
                .raw("{\"id\":")
                .hex(draft.id(author))
                .raw(",\"pubkey\":")
                .hex(author);
        out.raw(",\"created_at\":").number(second).raw(",\"kind\":").number(kind);
        out.raw(",\"tags\":[[").string(name).raw(",").string(value).raw("]],\"content\":\"\",\"sig\":\"");
        out.raw(SIGNATURE).raw("\"}");
        if (READER.read(out.toArray()) instanceof ParsedEvent.Valid(var event)) {
            return event;
        }
        throw new IllegalStateException("no event: " + out);
    }
}
