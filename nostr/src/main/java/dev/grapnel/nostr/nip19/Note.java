package dev.grapnel.nostr.nip19;

import dev.grapnel.nostr.Parsed;
import dev.grapnel.nostr.Word256;
import dev.grapnel.nostr.event.EventId;

/// An event's id as people pass it on; [Nevent] also says where to look.
public record Note(EventId id) implements Nip19 {
    static final String PREFIX = "note";

    static Parsed<Note> read(byte[] data) {
        return data.length == Word256.BYTES
                ? Parsed.valid(new Note(EventId.of(data, 0)))
                : Parsed.invalid("not 32 bytes");
    }

    /// `note1` and 58 letters.
    public String text() {
        return Bech32.encode(PREFIX, id.toBytes()).require();
    }

    /// The text.
    @Override
    public String toString() {
        return text();
    }
}
