package dev.grapnel.store.lmdb;

import dev.grapnel.store.table.StoreFailure;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/// What lies in a store's directory, and how a store comes into being there.
final class StoreFiles {
    /// Everything that is stored.
    static final String DATA = "data.mdb";

    /// A compact copy that is about to take the file's place.
    static final String COPY = "data.mdb.compact";

    /// Begins the name of a directory in which a file is made that is to appear as a whole.
    static final String PARTIAL = "grapnel-copy";

    private static final String LMDB_LOCK = "lock.mdb";

    private StoreFiles() {}

    /// Whether there is a store, or at least the file of one.
    static boolean exists(Path directory) {
        return Files.exists(directory.resolve(DATA));
    }

    /// What is there must be a file with something in it. Nothing of ours leaves an empty one, not even when it
    /// is killed, so that would be the rest of a store, and must not become a fresh one.
    ///
    /// @throws StoreFailure if it is anything else; nothing was changed
    static void requireUsable(Path directory) {
        var data = directory.resolve(DATA);
        if (!Files.exists(data)) {
            if (Files.isSymbolicLink(data)) {
                throw new StoreFailure("the store's file " + data
                        + " is a link to a file that is not there; mount its disk, or remove the link");
            }
            return;
        }
        if (!Files.isRegularFile(data)) {
            throw new StoreFailure("the store's file " + data
                    + " is not a regular file; move it away, or configure another directory");
        }
        if (bytes(directory) == 0) {
            throw new StoreFailure("the store's file " + data
                    + " is empty, so whatever was stored is lost; restore a backup, or remove the file to begin anew");
        }
    }

    /// Length of the file.
    static long bytes(Path directory) {
        try {
            return Files.size(directory.resolve(DATA));
        } catch (IOException e) {
            throw new StoreFailure("could not look at the store in " + directory + ": " + e.getMessage(), e);
        }
    }

    /// Makes the file of a new store. It has its name only once it is whole and on the device.
    static void make(Path directory, LmdbConfig config) throws IOException {
        var fresh = Files.createTempDirectory(directory, PARTIAL);
        try {
            Environment.open(fresh, config, config.mapBytes()).close();
            flush(fresh.resolve(DATA), StandardOpenOption.WRITE);
            Files.move(fresh.resolve(DATA), directory.resolve(DATA), StandardCopyOption.ATOMIC_MOVE);
            flushNames(directory);
        } finally {
            removeLeftover(fresh);
        }
    }

    /// Writes to the device what a directory calls its files.
    static void flushNames(Path directory) throws IOException {
        flush(directory, StandardOpenOption.READ);
    }

    private static void flush(Path path, StandardOpenOption option) throws IOException {
        Uninterrupted.run(() -> {
            try (var channel = FileChannel.open(path, option)) {
                channel.force(true);
                return true;
            }
        });
    }

    /// Removes what a kill left of files in the making. What is in the way of that, or somebody else's, stays.
    static void removeLeftovers(Path directory) throws IOException {
        Files.deleteIfExists(directory.resolve(COPY));
        try (var partial = Files.newDirectoryStream(directory, PARTIAL + "*")) {
            for (var left : partial) {
                removeLeftover(left);
            }
        }
    }

    private static void removeLeftover(Path left) {
        try {
            if (Files.isDirectory(left, LinkOption.NOFOLLOW_LINKS)) {
                Files.deleteIfExists(left.resolve(DATA));
                Files.deleteIfExists(left.resolve(LMDB_LOCK));
                Files.delete(left);
            }
        } catch (IOException _) {
            // It only takes room, and the next start tries again.
        }
    }
}
