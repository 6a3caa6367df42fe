package dev.grapnel.purgatory;

import dev.grapnel.nostr.key.PublicKey;
import java.util.Set;

/// Where an event comes from. It is told, never guessed from an address.
public sealed interface Origin {
    /// A client sent it.
    ///
    /// @param keys the keys the client has authenticated with
    /// @param canAuthenticate whether it could authenticate with more
    record Direct(Set<PublicKey> keys, boolean canAuthenticate) implements Origin {
        public Direct {
            keys = Set.copyOf(keys);
        }
    }

    /// It was found at another relay.
    record Synced() implements Origin {}
}
