package dev.grapnel.server;

import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.key.SecretKey;
import java.util.Optional;

/// Whose server it is.
///
/// @param secret with which challenges of other relays are answered; without it none is followed
record Operator(PublicKey key, Optional<SecretKey> secret) {
    static Operator of(SecretKey secret) {
        return new Operator(secret.publicKey(), Optional.of(secret));
    }

    /// One whose secret is elsewhere.
    static Operator of(PublicKey key) {
        return new Operator(key, Optional.empty());
    }
}
