package dev.grapnel.store.engine;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.Word256;
import dev.grapnel.store.row.Held;
import dev.grapnel.store.table.ReadTables;
import dev.grapnel.store.table.StoreDamage;
import dev.grapnel.store.table.Table;
import java.util.function.Consumer;

/// Looks whether every row of purgatory and of the ledgers can be read, and whether held events are found
/// by id and author.
final class HeldCheck {
    private final ReadTables tables;
    private final Consumer<String> problems;
    private long held;

    HeldCheck(ReadTables tables, Consumer<String> problems) {
        this.tables = tables;
        this.problems = problems;
    }

    void run() {
        for (var table : RowTables.ALL) {
            RowTables.forEach(
                    tables,
                    table,
                    Bytes.EMPTY,
                    row -> {
                        if (row instanceof Held found) {
                            check(found);
                        }
                    },
                    damaged -> problems.accept("damaged " + damaged));
        }
        checkIds();
        requireCount(Table.HELD_IDS);
        requireCount(Table.HELD_AUTHORS);
        checkTerms();
    }

    private void checkTerms() {
        var rows = tables.rows(Table.HELD_TERMS, new byte[0]);
        while (rows.next()) {
            boolean there = rows.key().length == Word256.BYTES && tables.find(Table.HELD_IDS, rows.key()) != null;
            try {
                SealedRows.open(Table.HELD_TERMS, rows.key(), rows.value());
            } catch (StoreDamage damage) {
                problems.accept(String.valueOf(damage.getMessage()));
            }
            if (!there) {
                problems.accept("terms of event " + Bytes.wrap(rows.key()).toHex() + ", which is not held");
            }
        }
    }

    private void check(Held row) {
        held++;
        var id = row.event().id();
        var place = tables.find(Table.HELD_IDS, id.toBytes());
        if (place == null || !HeldPlace.decode(place).equals(HeldPlace.of(row))) {
            problems.accept("held event " + id + " is not found by its id");
        }
        if (tables.find(Table.HELD_AUTHORS, HeldTables.authorKey(row)) == null) {
            problems.accept("held event " + id + " is not found by its author");
        }
    }

    private void checkIds() {
        var rows = tables.rows(Table.HELD_IDS, new byte[0]);
        while (rows.next()) {
            var place = HeldPlace.decode(rows.value());
            boolean there = rows.key().length == Word256.BYTES
                    && tables.find(place.table(), place.key().toArray()) != null;
            if (!there) {
                problems.accept("held event " + Bytes.wrap(rows.key()).toHex() + " has no row");
            }
        }
    }

    private void requireCount(Table table) {
        if (tables.count(table) != held) {
            problems.accept("table " + table.storedName() + " has " + tables.count(table) + " rows, but " + held
                    + " events are held");
        }
    }
}
