package dev.grapnel.nostr.nip19;

import dev.grapnel.nostr.Parsed;

/// A relay's address. NIP-19 no longer recommends it, but such text is about.
public record Nrelay(String url) implements Nip19 {
    static final String PREFIX = "nrelay";

    static Parsed<Nrelay> read(byte[] data) {
        return Tlv.read(data).then(tlv -> tlv.text(TlvType.SPECIAL)).map(Nrelay::new);
    }

    /// The text, or which part does not fit into it.
    public Parsed<String> write() {
        return new TlvWriter().text(TlvType.SPECIAL, url).write(PREFIX);
    }
}
