package dev.grapnel.purgatory;

import dev.grapnel.nostr.key.PublicKey;
import java.util.Optional;
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
    ///
    /// @param relay which one, if that is to be remembered
    record Synced(Optional<String> relay) implements Origin {
        /// Wherever it was.
        public Synced() {
            this(Optional.empty());
        }
    }

    /// It had its time here, its data was seen elsewhere, and a relay still had it (P-613).
    ///
    /// @param relay which one
    record Revived(String relay) implements Origin {}
}
