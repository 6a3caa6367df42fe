package dev.grapnel.server.sync;

import dev.grapnel.nostr.auth.RelayAuth;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.key.SecretKey;
import dev.grapnel.outbound.RemoteUrl;
import dev.grapnel.sync.world.Signer;
import java.time.InstantSource;
import java.util.random.RandomGenerator;

/// Signs with the operator's key (R4.22).
///
/// @param chance nobody can foresee it
public record OperatorSigner(SecretKey key, InstantSource clock, RandomGenerator chance) implements Signer {
    @Override
    public Event authenticate(RemoteUrl relay, String challenge) {
        return RelayAuth.answer(challenge, relay.text(), clock.instant()).sign(key, chance);
    }

    /// Nothing of the key.
    @Override
    public String toString() {
        return "OperatorSigner(" + key.publicKey() + ")";
    }
}
