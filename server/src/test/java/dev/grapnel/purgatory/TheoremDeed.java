package dev.grapnel.purgatory;

import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.nostr.repository.RepositoryAddress;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/// One thing that is done to a server, so that it can be done to another one as well.
sealed interface TheoremDeed {
    /// Somebody publishes an event, or another server passes it on.
    record Sends(Made event, boolean isSynced) implements TheoremDeed {}

    /// Somebody pushes.
    ///
    /// @param isThin whether the pack leaves out what the server has
    /// @param isBroken whether nothing can be stored meanwhile; then the server is killed
    record Pushes(RepositoryAddress to, Map<String, Oid> refs, boolean isThin, boolean isBroken)
            implements TheoremDeed {
        public Pushes {
            refs = Collections.unmodifiableMap(new LinkedHashMap<>(refs));
        }
    }

    /// Time goes by, and what is over goes.
    record Passes(Duration time) implements TheoremDeed {}

    /// The server ends, and begins again.
    record Restarts(boolean isKill) implements TheoremDeed {}
}
