package dev.grapnel.sync.index;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;

/// Where the large tables of the index lie (sync 8.2): they grow by chunks that never move. What is in them can be made
/// again from the store; [KeptTables] knows whether what an earlier process left can be used.
public interface IndexTables extends AutoCloseable {
    /// Bytes of a chunk, a power of two.
    int chunkBytes();

    /// The next chunk of a table, all zero.
    MemorySegment chunk(String table);

    /// Whether another process could find them.
    boolean areKept();

    /// The first chunks of a table as an earlier process left them; the next one comes behind. Empty if there are not
    /// so many.
    Optional<List<MemorySegment>> find(String table, int chunks);

    /// Throws away what an earlier process left, found or not.
    void discard();

    /// Lets go of everything; nothing may read the index any more.
    @Override
    void close();
}
