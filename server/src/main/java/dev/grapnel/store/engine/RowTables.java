package dev.grapnel.store.engine;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.Parsed;
import dev.grapnel.store.row.Row;
import dev.grapnel.store.row.Rows;
import dev.grapnel.store.table.ReadTables;
import dev.grapnel.store.table.StoreDamage;
import dev.grapnel.store.table.Table;
import dev.grapnel.store.table.WriteTables;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// Rows of purgatory and of the ledgers in their tables.
final class RowTables {
    /// The tables that hold such rows.
    static final List<Table> ALL = List.of(
            Table.GATES,
            Table.RETIRED_REQUESTS,
            Table.HELD_ANNOUNCEMENTS,
            Table.HELD_STATES,
            Table.HELD_PROPOSALS,
            Table.PLACEHOLDERS,
            Table.EXPIRED_EVENTS,
            Table.REPAIRS,
            Table.TRASH,
            Table.REPOSITORIES,
            Table.TRASHED_EVENTS,
            Table.ADOPTIONS,
            Table.REFUSED_EVENTS,
            Table.RELAY_HEALTH,
            Table.IMPORTS);

    /// A row that cannot be read.
    record Damaged(Table table, Bytes key, Bytes value, String reason) {
        @Override
        public String toString() {
            return "row " + key.toHex() + " of table " + table.storedName() + ": " + reason;
        }
    }

    private RowTables() {}

    static void put(WriteTables tables, Row row) {
        tables.put(row.table(), row.key().toArray(), Rows.encode(row).toArray());
    }

    static Optional<Row> find(ReadTables tables, Table table, Bytes key) {
        return Optional.ofNullable(tables.find(table, key.toArray()))
                .map(value -> HeldTerms.applyTo(decode(table, key, value), tables));
    }

    static Row decode(Table table, Bytes key, byte[] value) {
        return switch (Rows.decode(table, key, Bytes.wrap(value))) {
            case Parsed.Valid<Row>(var row) -> row;
            case Parsed.Invalid<Row>(var reason) ->
                throw new StoreDamage(new Damaged(table, key, Bytes.wrap(value), reason).toString());
        };
    }

    /// Shows all rows whose keys begin with a prefix, the damaged ones apart.
    static void forEach(ReadTables tables, Table table, Bytes prefix, Consumer<Row> action, Consumer<Damaged> damaged) {
        var from = prefix.toArray();
        var rows = tables.rows(table, from);
        while (rows.next() && Keys.startsWith(rows.key(), from)) {
            var key = Bytes.wrap(rows.key());
            var value = Bytes.wrap(rows.value());
            switch (Rows.decode(table, key, value)) {
                case Parsed.Valid<Row>(var row) -> action.accept(HeldTerms.applyTo(row, tables));
                case Parsed.Invalid<Row>(var reason) -> damaged.accept(new Damaged(table, key, value, reason));
            }
        }
    }

    /// The rows behind a key, so many at most; the damaged ones are left out.
    static List<Row> after(ReadTables tables, Table table, Bytes key, int rowsMax) {
        var found = new ArrayList<Row>();
        var rows = tables.rows(table, key.toArray());
        while (found.size() < rowsMax && rows.next()) {
            var here = Bytes.wrap(rows.key());
            if (!here.equals(key)) {
                Rows.decode(table, here, Bytes.wrap(rows.value()))
                        .find()
                        .ifPresent(row -> found.add(HeldTerms.applyTo(row, tables)));
            }
        }
        return found;
    }
}
