package dev.grapnel.nostr.nip19;

import dev.grapnel.nostr.Parsed;
import dev.grapnel.nostr.key.SecretKey;

/// A secret key as its owner keeps it.
public record Nsec(SecretKey key) implements Nip19 {
    static final String PREFIX = "nsec";

    /// Reads an nsec of either case; the reason holds nothing of what was read.
    public static Parsed<Nsec> parse(String text) {
        return Bech32.decode(PREFIX, text).then(Nsec::read);
    }

    static Parsed<Nsec> read(byte[] data) {
        return SecretKey.of(data).map(Nsec::new);
    }

    /// `nsec1` and 58 letters: the secret itself, for its owner's eyes or file.
    public String revealed() {
        return Bech32.encode(PREFIX, key.reveal()).require();
    }

    /// Names the public key only.
    @Override
    public String toString() {
        return "Nsec(of " + key.publicKey() + ")";
    }
}
