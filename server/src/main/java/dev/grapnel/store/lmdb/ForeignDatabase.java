package dev.grapnel.store.lmdb;

import dev.grapnel.store.table.StoreFailure;
import java.io.IOException;
import java.nio.file.Path;

/// A database of another server, which has the same name as the file of a store and may lie where one is wanted.
public final class ForeignDatabase {
    private ForeignDatabase() {}

    /// Refuses it, and leaves not even a lock beside it.
    ///
    /// @throws StoreFailure if there is one, or a store that cannot be used
    public static void refuse(Path directory) {
        StoreFiles.requireUsable(directory);
        if (StoreFiles.exists(directory) && !StoreLock.wasTaken(directory)) {
            try {
                LmdbEngine.look(directory);
            } catch (IOException _) {
                // whoever opens it will be told
            }
        }
    }
}
