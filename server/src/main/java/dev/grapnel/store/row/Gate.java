package dev.grapnel.store.row;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.store.table.Table;
import java.time.Instant;

/// A deletion request by an author who has nothing here (P-266): not served, but what it covers is refused.
public record Gate(Event event, Instant firstSeen) implements Row {
    /// @throws IllegalArgumentException if the event is no deletion request
    public Gate {
        Checks.kind(event, Kinds.DELETION);
        firstSeen = Millis.of(firstSeen);
    }

    @Override
    public Table table() {
        return Table.GATES;
    }

    @Override
    public Bytes key() {
        return RowKeys.event(event.id());
    }
}
