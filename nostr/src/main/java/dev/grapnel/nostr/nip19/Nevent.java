package dev.grapnel.nostr.nip19;

import dev.grapnel.nostr.Parsed;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.key.PublicKey;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/// An event's id, relays where it may be found, and perhaps who wrote it and its kind. Begin with [#of] and
/// add.
public record Nevent(EventId id, List<String> relays, Optional<PublicKey> author, OptionalInt kind) implements Nip19 {
    static final String PREFIX = "nevent";

    /// @throws IllegalArgumentException if the kind is none
    public Nevent {
        relays = List.copyOf(relays);
        kind.ifPresent(Tlv::requireKind);
    }

    /// Only the id.
    public static Nevent of(EventId id) {
        return new Nevent(id, List.of(), Optional.empty(), OptionalInt.empty());
    }

    /// The same with these relays.
    public Nevent withRelays(List<String> relays) {
        return new Nevent(id, relays, author, kind);
    }

    /// The same with this author.
    public Nevent withAuthor(PublicKey author) {
        return new Nevent(id, relays, Optional.of(author), kind);
    }

    /// The same with this kind.
    ///
    /// @throws IllegalArgumentException if the kind is none
    public Nevent withKind(int kind) {
        return new Nevent(id, relays, author, OptionalInt.of(kind));
    }

    static Parsed<Nevent> read(byte[] data) {
        return Tlv.read(data)
                .then(tlv -> tlv.id(TlvType.SPECIAL)
                        .then(id -> tlv.relays()
                                .then(relays -> tlv.findKey(TlvType.AUTHOR)
                                        .then(author ->
                                                tlv.findKind().map(kind -> new Nevent(id, relays, author, kind))))));
    }

    /// The text, or which part does not fit into it.
    public Parsed<String> write() {
        var writer = new TlvWriter().bytes(TlvType.SPECIAL, id.toBytes()).texts(TlvType.RELAY, relays);
        author.ifPresent(key -> writer.bytes(TlvType.AUTHOR, key.toBytes()));
        kind.ifPresent(writer::kind);
        return writer.write(PREFIX);
    }
}
