package dev.grapnel.store.crash;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.store.table.ReadTables;
import dev.grapnel.store.table.Table;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// Compares two states of the tables, byte by byte.
final class TableDifference {
    private static final int NAMED_MAX = 5;

    /// Rows that differ without saying anything about events: when the last commit was, when the file must be
    /// compacted, and what only LMDB has.
    private static final Set<String> IGNORED = Set.of("CLOCK", "COMPACTION_DUE", "schema");

    private TableDifference() {}

    /// What is not in both; empty if nothing.
    static List<String> of(ReadTables found, ReadTables expected) {
        var differences = new ArrayList<String>();
        for (var table : Table.values()) {
            var left = entries(found, table);
            var right = entries(expected, table);
            if (!left.equals(right)) {
                describe(table, left, right, differences);
            }
        }
        return differences;
    }

    private static void describe(Table table, List<Entry> found, List<Entry> expected, List<String> out) {
        var surplus = new ArrayList<>(found);
        surplus.removeAll(Set.copyOf(expected));
        var missing = new ArrayList<>(expected);
        missing.removeAll(Set.copyOf(found));
        surplus.stream().limit(NAMED_MAX).forEach(entry -> out.add(table + " has " + entry));
        missing.stream().limit(NAMED_MAX).forEach(entry -> out.add(table + " lacks " + entry));
    }

    /// A row, or one posting of a list.
    private record Entry(Bytes key, Bytes value) {
        @Override
        public String toString() {
            return key.toHex() + " -> " + value.toHex();
        }
    }

    private static List<Entry> entries(ReadTables tables, Table table) {
        var entries = new ArrayList<Entry>();
        switch (table.form()) {
            case ROWS -> {
                for (var rows = tables.rows(table, new byte[0]); rows.next(); ) {
                    if (table != Table.META || !IGNORED.contains(new String(rows.key(), StandardCharsets.US_ASCII))) {
                        entries.add(new Entry(Bytes.wrap(rows.key()), Bytes.wrap(rows.value())));
                    }
                }
            }
            case POSTINGS -> {
                for (var lists = tables.lists(table, new byte[0]); lists.next(); ) {
                    var key = Bytes.wrap(lists.key());
                    for (var postings = lists.postings(); !postings.isDone(); postings.next()) {
                        entries.add(new Entry(key, posting(postings.high(), postings.low())));
                    }
                }
            }
        }
        return entries;
    }

    private static Bytes posting(long high, long low) {
        var bytes = new byte[2 * Long.BYTES];
        for (int i = 0; i < Long.BYTES; i++) {
            bytes[i] = (byte) (high >>> (56 - 8 * i));
            bytes[Long.BYTES + i] = (byte) (low >>> (56 - 8 * i));
        }
        return Bytes.wrap(bytes);
    }
}
