package dev.grapnel.store.engine;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.Word256;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.store.table.ReadTables;
import dev.grapnel.store.table.StoreDamage;
import dev.grapnel.store.table.Table;
import dev.grapnel.store.table.WriteTables;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// Finds rows of purgatory and of the ledgers that cannot be read, and takes them out with what points to
/// them.
final class DamagedRows {
    private DamagedRows() {}

    /// Those of one table.
    static List<RowTables.Damaged> find(ReadTables tables, Table table, StoreObserver observer) {
        var damaged = new ArrayList<RowTables.Damaged>();
        try {
            RowTables.forEach(tables, table, Bytes.EMPTY, _ -> {}, damaged::add);
        } catch (StoreDamage damage) {
            observer.damaged("table " + table.storedName() + " cannot be read to the end: " + damage.getMessage());
        }
        return damaged;
    }

    static void remove(WriteTables tables, List<RowTables.Damaged> damaged) {
        for (var row : damaged) {
            tables.remove(row.table(), row.key().toArray());
            if (row.table() == Table.GATES) {
                removeNamed(tables, Table.GATE_TARGETS, row.key().toArray());
                removeNamed(tables, Table.GATE_AGES, row.key().toArray());
                recountGates(tables);
            } else if (row.table() == Table.RETIRED_REQUESTS) {
                removeNamed(tables, Table.RETIRED_AUTHORS, row.key().toArray());
            } else if (HeldTables.ALL.contains(row.table())) {
                findId(tables, new HeldPlace(row.table(), row.key())).ifPresent(id -> {
                    tables.remove(Table.HELD_IDS, id.toBytes());
                    removeNamed(tables, Table.HELD_AUTHORS, id.toBytes());
                    HeldTerms.remove(tables, id);
                });
            }
        }
    }

    private static Optional<EventId> findId(ReadTables tables, HeldPlace place) {
        var rows = tables.rows(Table.HELD_IDS, new byte[0]);
        while (rows.next()) {
            if (rows.key().length == Word256.BYTES && Arrays.equals(rows.value(), place.encode())) {
                return Optional.of(EventId.of(rows.key(), 0));
            }
        }
        return Optional.empty();
    }

    /// Removes rows whose keys end with an id.
    private static void removeNamed(WriteTables tables, Table table, byte[] id) {
        var named = new ArrayList<byte[]>();
        var rows = tables.rows(table, new byte[0]);
        while (rows.next()) {
            var key = rows.key();
            if (key.length >= id.length && Arrays.equals(key, key.length - id.length, key.length, id, 0, id.length)) {
                named.add(key);
            }
        }
        named.forEach(key -> tables.remove(table, key));
    }

    private static void recountGates(WriteTables tables) {
        long bytes = 0;
        var rows = tables.rows(Table.GATE_AGES, new byte[0]);
        while (rows.next()) {
            bytes += GateTables.bytesOf(rows.key(), rows.value());
        }
        Meta.GATE_TARGETS.write(tables, tables.count(Table.GATE_TARGETS));
        Meta.GATE_BYTES.write(tables, bytes);
    }
}
