package dev.grapnel.store.lmdb;

import dev.grapnel.store.table.Table;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/// What the file is used for.
///
/// @param fileBytes length of the file, holes included
/// @param usedBytes what is in use, the free list included
/// @param freePages pages that will be used again
public record LmdbStats(long fileBytes, long usedBytes, long freePages, Map<Table, TableStats> tables) {
    public LmdbStats {
        tables = Collections.unmodifiableMap(new EnumMap<>(tables));
    }

    public TableStats of(Table table) {
        return tables.getOrDefault(table, TableStats.NONE);
    }

    /// What one table is.
    ///
    /// @param entries rows, or postings of all lists
    /// @param bytes of its pages
    /// @param depth levels of its tree
    public record TableStats(long entries, long bytes, int depth) {
        static final TableStats NONE = new TableStats(0, 0, 0);
    }
}
