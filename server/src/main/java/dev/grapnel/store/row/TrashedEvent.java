package dev.grapnel.store.row;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.store.table.Table;
import java.time.Instant;
import java.util.Set;

/// A state or a proposal that left service with the last repository that carried it (service 4.9.6), and
/// comes back with one. Not held: it authorises nothing.
///
/// @param identifier of repositories that could bring it back; a proposal for several has a row for each
/// @param since when it left
public record TrashedEvent(Identifier identifier, Event event, Instant since) implements Row {
    private static final Set<Integer> KINDS = Set.of(Kinds.STATE, Kinds.PULL_REQUEST, Kinds.PULL_REQUEST_UPDATE);

    /// @throws IllegalArgumentException if events of this kind need no repository
    public TrashedEvent {
        if (!KINDS.contains(event.kind())) {
            throw new IllegalArgumentException("kind " + event.kind() + " needs no repository");
        }
        since = Millis.of(since);
    }

    @Override
    public Table table() {
        return Table.TRASHED_EVENTS;
    }

    @Override
    public Bytes key() {
        return RowKeys.state(identifier, event.id());
    }
}
