package dev.grapnel.store.tool;

import dev.grapnel.store.engine.CompactionMark;
import dev.grapnel.store.lmdb.LmdbConfig;
import dev.grapnel.store.lmdb.LmdbEngine;
import java.nio.file.Path;

/// What was gained by writing a store's file anew without what it does not use.
///
/// @param bytesBefore length of the file before
/// @param bytesAfter and after
public record Compaction(long bytesBefore, long bytesAfter) {
    /// Compacts the store of a directory, which nobody may have open. Needs room for a copy.
    ///
    /// @throws dev.grapnel.store.table.StoreFailure if that is not possible: then the store is as it was
    public static Compaction run(Path directory) {
        OpenStore.requireStore(directory);
        long before = LmdbEngine.fileBytes(directory);
        try (var engine = LmdbEngine.open(directory, LmdbConfig.DEFAULTS)) {
            engine.compact();
            CompactionMark.clear(engine);
        }
        return new Compaction(before, LmdbEngine.fileBytes(directory));
    }
}
