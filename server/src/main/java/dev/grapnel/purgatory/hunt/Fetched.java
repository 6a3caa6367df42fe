package dev.grapnel.purgatory.hunt;

import dev.grapnel.nostr.repository.Oid;
import java.util.Set;

/// What a request for objects brought (P-664).
///
/// @param obtained those wanted or hoped for that are here now, with all they reach
/// @param refused those the server said it does not have or does not give
public record Fetched(Set<Oid> obtained, Set<Oid> refused) {
    /// Nothing came.
    public static final Fetched NOTHING = new Fetched(Set.of(), Set.of());

    public Fetched {
        obtained = Set.copyOf(obtained);
        refused = Set.copyOf(refused);
    }
}
