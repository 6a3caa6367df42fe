package dev.grapnel.store.row;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.store.table.Table;
import java.time.Instant;

/// A request to delete or to vanish that is served no more and still blocks (service 4.9.3): it returns to
/// service as soon as it is of use.
///
/// @param since when it left service
public record RetiredRequest(Event event, Instant since) implements Row {
    /// @throws IllegalArgumentException if the event is no such request
    public RetiredRequest {
        if (event.kind() != Kinds.DELETION && event.kind() != Kinds.VANISH) {
            throw new IllegalArgumentException("kind " + event.kind() + " where 5 or 62 belongs");
        }
        since = Millis.of(since);
    }

    @Override
    public Table table() {
        return Table.RETIRED_REQUESTS;
    }

    @Override
    public Bytes key() {
        return RowKeys.event(event.id());
    }
}
