package dev.grapnel.store.row;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.store.table.Table;
import java.time.Instant;

/// How far an import has come that has not ended. It is written together with the events in front of it, so an
/// import that was killed goes on exactly there.
///
/// @param reachedAt when; of too many positions the oldest is forgotten
public record ImportPosition(InputPlace place, Instant reachedAt) implements Row {
    public ImportPosition {
        reachedAt = Millis.of(reachedAt);
    }

    @Override
    public Table table() {
        return Table.IMPORTS;
    }

    @Override
    public Bytes key() {
        return place.beginHash();
    }
}
