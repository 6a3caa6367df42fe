package dev.grapnel.sync.index;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;

/// Tables on the heap: those that stay small, and all of them in tests and simulations.
public final class HeapTables implements IndexTables {
    private static final int CHUNK_BYTES = 4096;

    @Override
    public int chunkBytes() {
        return CHUNK_BYTES;
    }

    @Override
    public MemorySegment chunk(String table) {
        return MemorySegment.ofArray(new long[CHUNK_BYTES / Long.BYTES]);
    }

    @Override
    public boolean areKept() {
        return false;
    }

    @Override
    public Optional<List<MemorySegment>> find(String table, int chunks) {
        return Optional.empty();
    }

    @Override
    public void discard() {
        // nobody can leave anything here
    }

    @Override
    public void close() {
        // the collector sees to it
    }
}
