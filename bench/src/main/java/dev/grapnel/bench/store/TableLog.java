package dev.grapnel.bench.store;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.store.table.Table;
import java.util.ArrayList;
import java.util.List;

/// What one transaction wrote, to be written again by somebody else.
final class TableLog {
    /// One change of a table.
    sealed interface Change {
        Table table();

        Object key();

        record Put(Table table, Bytes key, Bytes value) implements Change {}

        record Removed(Table table, Bytes key) implements Change {}

        record Added(Table table, Bytes key, long high, long low) implements Change {}

        record Taken(Table table, Bytes key, long high, long low) implements Change {}
    }

    private final List<Change> changes = new ArrayList<>();

    void add(Change change) {
        changes.add(change);
    }

    List<Change> changes() {
        return changes;
    }

    void clear() {
        changes.clear();
    }
}
