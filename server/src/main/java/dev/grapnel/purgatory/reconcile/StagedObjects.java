package dev.grapnel.purgatory.reconcile;

import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.nostr.repository.RepositoryAddress;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/// Knows what was pushed and nobody has signed yet.
public interface StagedObjects {
    /// There is none.
    StagedObjects NONE = _ -> List.of();

    /// Areas that were pushed to repositories of an identifier, complete ones only.
    List<Area> of(Identifier identifier);

    /// Areas that were pushed for an event which then brought another commit: they count for it until it is
    /// judged (R6).
    default List<String> lingering(EventId event) {
        return List.of();
    }

    /// An event that has just come is judged: whatever lingered for it goes.
    default void judged(EventId event) {}

    /// An area holds from now on what the existing server had taken in for some events and kept in a repository
    /// (P-715); durable when it returns.
    ///
    /// @param pushed which commit for which event
    /// @param now from when on it waits for those that nobody has seen
    default void adopt(Map<EventId, Oid> pushed, RepositoryAddress repository, String area, Instant now)
            throws IOException {}

    /// One push.
    ///
    /// @param name of the area
    /// @param repository where it was pushed to
    /// @param event what was pushed for
    record Area(String name, RepositoryAddress repository, EventId event) {}
}
