package dev.grapnel.bench;

import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.key.SecretKey;
import dev.grapnel.nostr.nip19.Npub;
import java.util.SplittableRandom;

/// Somebody who writes events.
///
/// @param hex the public key as it stands in tags
record Person(SecretKey key, String hex) {
    /// The person of this number in the community of this seed.
    static Person of(long seed, int number) {
        var secret = new byte[32];
        new SplittableRandom(Chance.mix(seed, number)).nextBytes(secret);
        var key = SecretKey.of(secret).require();
        return new Person(key, key.publicKey().toHex());
    }

    PublicKey publicKey() {
        return key.publicKey();
    }

    String npub() {
        return new Npub(publicKey()).text();
    }
}
