package dev.grapnel.nostr.nip19;

import dev.grapnel.nostr.Parsed;
import dev.grapnel.nostr.key.PublicKey;
import java.util.List;

/// An address: whatever event its author last published with this kind and identifier. The identifier is
/// empty for kinds that are replaceable without one.
public record Naddr(String identifier, PublicKey author, int kind, List<String> relays) implements Nip19 {
    static final String PREFIX = "naddr";

    /// @throws IllegalArgumentException if the kind is none
    public Naddr {
        Tlv.requireKind(kind);
        relays = List.copyOf(relays);
    }

    static Parsed<Naddr> read(byte[] data) {
        return Tlv.read(data)
                .then(tlv -> tlv.text(TlvType.SPECIAL)
                        .then(identifier -> tlv.key(TlvType.AUTHOR)
                                .then(author -> tlv.kind()
                                        .then(kind -> tlv.relays()
                                                .map(relays -> new Naddr(identifier, author, kind, relays))))));
    }

    /// The text, or which part does not fit into it: an identifier may have at most 255 bytes there.
    public Parsed<String> write() {
        return new TlvWriter()
                .text(TlvType.SPECIAL, identifier)
                .texts(TlvType.RELAY, relays)
                .bytes(TlvType.AUTHOR, author.toBytes())
                .kind(kind)
                .write(PREFIX);
    }
}
