package dev.grapnel.store.engine;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.store.row.Held;
import dev.grapnel.store.row.Row;
import dev.grapnel.store.row.Terms;
import dev.grapnel.store.table.ReadTables;
import dev.grapnel.store.table.StoreDamage;
import dev.grapnel.store.table.Table;
import dev.grapnel.store.table.WriteTables;
import java.util.Optional;

/// Deadlines and other things that change while an event waits, written apart from its row: a row holds the
/// whole event, which may be large, and one announcement can move the deadlines of many.
final class HeldTerms {
    private HeldTerms() {}

    /// A row as it is by now. If its terms are damaged, those count on which it was first held: the event
    /// itself must not be lost with them.
    static Row applyTo(Row row, ReadTables tables) {
        if (!(row instanceof Held held) || tables.count(Table.HELD_TERMS) == 0) {
            return row;
        }
        try {
            return find(tables, held.event().id()).<Row>map(held::withTerms).orElse(row);
        } catch (StoreDamage _) {
            return row; // the check of the store reports it
        }
    }

    static Optional<Terms> find(ReadTables tables, EventId id) {
        return SealedRows.find(tables, Table.HELD_TERMS, id.toBytes()).map(HeldTerms::decode);
    }

    private static Terms decode(byte[] stored) {
        try {
            return Terms.decode(Bytes.wrap(stored));
        } catch (IllegalArgumentException e) {
            throw new StoreDamage("a row of table held_terms cannot be read: " + e.getMessage());
        }
    }

    static void put(WriteTables tables, EventId id, Terms terms) {
        SealedRows.put(tables, Table.HELD_TERMS, id.toBytes(), terms.encode());
    }

    static void remove(WriteTables tables, EventId id) {
        if (tables.count(Table.HELD_TERMS) > 0) {
            tables.remove(Table.HELD_TERMS, id.toBytes());
        }
    }
}
