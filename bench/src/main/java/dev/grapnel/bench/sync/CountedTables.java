package dev.grapnel.bench.sync;

import dev.grapnel.sync.index.IndexTables;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// Tables that know which of them has taken how much.
final class CountedTables implements IndexTables {
    private final IndexTables tables;
    private final Map<String, Long> bytes = new TreeMap<>();

    CountedTables(IndexTables tables) {
        this.tables = tables;
    }

    @Override
    public int chunkBytes() {
        return tables.chunkBytes();
    }

    @Override
    public MemorySegment chunk(String table) {
        bytes.merge(table, (long) chunkBytes(), Long::sum);
        return tables.chunk(table);
    }

    @Override
    public boolean areKept() {
        return tables.areKept();
    }

    @Override
    public Optional<List<MemorySegment>> find(String table, int chunks) {
        return tables.find(table, chunks);
    }

    @Override
    public void discard() {
        tables.discard();
    }

    /// Bytes by table.
    Map<String, Long> bytes() {
        return new TreeMap<>(bytes);
    }

    @Override
    public void close() {
        tables.close();
    }
}
