package dev.grapnel.store.row;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.store.table.Table;
import java.time.Instant;

/// How far an import has come that has not ended. It is written together with the events in front of it, so an
/// import that was killed goes on exactly there.
///
/// @param number tells imports apart
/// @param refused lines in front of the place that were refused
/// @param faults of them, those that were no signed events
/// @param reachedAt when; of too many positions the oldest is forgotten
public record ImportPosition(long number, InputPlace place, long refused, long faults, Instant reachedAt)
        implements Row {
    /// @throws IllegalArgumentException if a number is out of its range
    public ImportPosition {
        Checks.notNegative("the number of the import", number);
        Checks.notNegative("the number of refused lines", refused);
        Checks.notNegative("the number of faults", faults);
        reachedAt = Millis.of(reachedAt);
    }

    @Override
    public Table table() {
        return Table.IMPORTS;
    }

    @Override
    public Bytes key() {
        return RowKeys.importOf(number);
    }
}
