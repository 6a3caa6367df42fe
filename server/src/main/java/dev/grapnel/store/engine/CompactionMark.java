package dev.grapnel.store.engine;

import dev.grapnel.store.table.TableEngine;

/// Whether the file still holds what somebody asked to be forgotten, so that it must be compacted some time
/// (relay 4.7).
public final class CompactionMark {
    private CompactionMark() {}

    /// Takes the mark away, after a compaction of an engine that no store is open on.
    public static void clear(TableEngine engine) {
        try (var tables = engine.begin()) {
            if (Meta.COMPACTION_DUE.read(tables) != 0) {
                Meta.COMPACTION_DUE.write(tables, 0);
                tables.commit();
            }
        }
    }
}
