package dev.grapnel.nostr.nip19;

import dev.grapnel.nostr.Parsed;
import dev.grapnel.nostr.Word256;
import dev.grapnel.nostr.key.PublicKey;

/// A public key as people pass it on, and as it stands in the paths of repositories.
public record Npub(PublicKey key) implements Nip19 {
    static final String PREFIX = "npub";

    /// Reads the one spelling that is good in a path (service 2.4): lower case, so that a key has one address
    /// only.
    public static Parsed<Npub> parse(String text) {
        return text.chars().anyMatch(c -> c >= 'A' && c <= 'Z')
                ? Parsed.invalid("not in lower case")
                : Bech32.decode(PREFIX, text).then(Npub::read);
    }

    static Parsed<Npub> read(byte[] data) {
        return data.length == Word256.BYTES
                ? Parsed.valid(new Npub(PublicKey.of(data, 0)))
                : Parsed.invalid("not 32 bytes");
    }

    /// `npub1` and 58 letters.
    public String text() {
        return Bech32.encode(PREFIX, key.toBytes()).require();
    }

    /// The text.
    @Override
    public String toString() {
        return text();
    }
}
