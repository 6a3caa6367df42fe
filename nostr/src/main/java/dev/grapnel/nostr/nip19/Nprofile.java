package dev.grapnel.nostr.nip19;

import dev.grapnel.nostr.Parsed;
import dev.grapnel.nostr.key.PublicKey;
import java.util.List;

/// A public key and relays where its owner may be found.
public record Nprofile(PublicKey key, List<String> relays) implements Nip19 {
    static final String PREFIX = "nprofile";

    public Nprofile {
        relays = List.copyOf(relays);
    }

    static Parsed<Nprofile> read(byte[] data) {
        return Tlv.read(data)
                .then(tlv ->
                        tlv.key(TlvType.SPECIAL).then(key -> tlv.relays().map(relays -> new Nprofile(key, relays))));
    }

    /// The text, or which part does not fit into it.
    public Parsed<String> write() {
        return new TlvWriter()
                .bytes(TlvType.SPECIAL, key.toBytes())
                .texts(TlvType.RELAY, relays)
                .write(PREFIX);
    }
}
