package dev.grapnel.purgatory.hunt;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import java.util.List;
import java.util.Set;

/// A conversation with a relay.
public interface RelayVisit extends Errand {
    /// Asks for events by their ids, the first request of a visit.
    ///
    /// @param ids at most 100
    /// @return those of them that it has, with good signatures
    List<Event> find(Set<EventId> ids) throws VisitFailed;
}
