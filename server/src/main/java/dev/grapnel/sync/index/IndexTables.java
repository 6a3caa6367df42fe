package dev.grapnel.sync.index;

import java.lang.foreign.MemorySegment;

/// Where the large tables of the index lie (sync 8.2): they grow by chunks that never move. What is in them is
/// worth nothing once the process ends; it is rebuilt from the store.
public interface IndexTables extends AutoCloseable {
    /// Bytes of a chunk, a power of two.
    int chunkBytes();

    /// The next chunk of a table, all zero.
    MemorySegment chunk(String table);

    /// Lets go of everything; nothing may read the index any more.
    @Override
    void close();
}
