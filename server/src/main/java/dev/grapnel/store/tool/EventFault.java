package dev.grapnel.store.tool;

import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.json.JsonWriter;
import dev.grapnel.nostr.key.PublicKey;
import java.util.Locale;

/// A stored event that is not what its author signed.
///
/// @param id as it says itself
/// @param problem what is wrong with it
/// @param isRemoved whether it was taken out of the store
public record EventFault(Place place, EventId id, PublicKey author, int kind, String problem, boolean isRemoved) {
    /// Where an event can be.
    public enum Place {
        /// Visible to clients.
        SERVED,
        /// In purgatory.
        HELD,
        /// A deletion request of somebody who has nothing here.
        GATE
    }

    /// One JSON object.
    public JsonWriter json() {
        return new JsonWriter(320)
                .raw("{\"place\":")
                .string(place.name().toLowerCase(Locale.ROOT))
                .raw(",\"id\":")
                .hex(id)
                .raw(",\"author\":")
                .hex(author)
                .raw(",\"kind\":")
                .number(kind)
                .raw(",\"problem\":")
                .string(problem)
                .raw(",\"removed\":")
                .raw(Boolean.toString(isRemoved))
                .raw("}");
    }
}
