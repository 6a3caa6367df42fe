package dev.grapnel.store.lmdb;

import dev.grapnel.store.table.StoreFailure;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributeView;
import org.jspecify.annotations.Nullable;

/// Gives the device back what a store's file does not use: a copy without free pages takes its place.
///
/// Whoever dies meanwhile leaves the old file or the new one, whole: the copy is on the device before it is
/// renamed, and renaming is one step. What else may be left, the directory [#WORK], is removed by the next who
/// opens the store.
public final class Compaction {
    private static final String WORK = "compacting";

    private Compaction() {}

    /// What it was good for.
    ///
    /// @param bytesBefore length of the file before
    /// @param bytesAfter and after
    public record Outcome(long bytesBefore, long bytesAfter) {}

    /// Compacts the store of a directory, which nobody may have open. Needs room for the copy.
    ///
    /// @throws StoreFailure if that is not possible; then the store is as it was
    public static Outcome run(Path directory) {
        requireFile(directory.resolve(LmdbEngine.DATA));
        // Stays open until the copy is in its place, because it keeps the directory locked.
        try (var engine = LmdbEngine.open(directory, LmdbConfig.DEFAULTS)) {
            try {
                return run(engine, directory);
            } finally {
                removeLeftovers(directory);
            }
        } catch (IOException e) {
            throw new StoreFailure("could not compact the store in " + directory + ": " + e.getMessage(), e);
        }
    }

    private static Outcome run(LmdbEngine engine, Path directory) throws IOException {
        var data = directory.resolve(LmdbEngine.DATA);
        long before = Files.size(data);
        var work = Files.createDirectory(directory.resolve(WORK));
        var copy = work.resolve(LmdbEngine.DATA);
        engine.copyTo(copy);
        keepOwner(data, copy);
        force(copy, StandardOpenOption.WRITE);
        requireEqual(engine, work);
        Files.move(copy, data, StandardCopyOption.ATOMIC_MOVE);
        force(directory, StandardOpenOption.READ);
        return new Outcome(before, Files.size(data));
    }

    private static void requireFile(Path data) {
        if (Files.isSymbolicLink(data)) {
            throw new StoreFailure("the file " + data + " is a link, which compacting would replace by a file; compact"
                    + " the store in the directory it leads to");
        }
    }

    /// The server may run as another user than the operator.
    private static void keepOwner(Path from, Path to) throws IOException {
        var old = Files.getFileAttributeView(from, PosixFileAttributeView.class);
        var fresh = Files.getFileAttributeView(to, PosixFileAttributeView.class);
        if (old == null || fresh == null) {
            return;
        }
        var wanted = old.readAttributes();
        var found = fresh.readAttributes();
        if (!wanted.owner().equals(found.owner())) {
            fresh.setOwner(wanted.owner());
        }
        if (!wanted.group().equals(found.group())) {
            fresh.setGroup(wanted.group());
        }
        fresh.setPermissions(wanted.permissions());
    }

    private static void requireEqual(LmdbEngine engine, Path work) {
        try (var copy = LmdbEngine.open(work, LmdbConfig.DEFAULTS)) {
            var problems = copy.checkPages();
            if (!problems.isEmpty()) {
                throw new StoreFailure("the copy of the store is damaged: " + problems.getFirst()
                        + "; the store is as it was, look into the system's log");
            }
            var wanted = engine.stats().tables();
            var found = copy.stats().tables();
            wanted.forEach((table, stats) -> {
                var copied = found.get(table);
                if (copied == null || copied.entries() != stats.entries()) {
                    throw new StoreFailure("the copy of the store has not all of table " + table.storedName()
                            + "; the store is as it was, look into the system's log");
                }
            });
        }
    }

    private static void force(Path path, StandardOpenOption option) throws IOException {
        try (var channel = FileChannel.open(path, option)) {
            channel.force(true);
        }
    }

    /// Removes what a compaction has left that did not come to its end. Only for who has locked the directory.
    static void removeLeftovers(Path directory) {
        try {
            Files.walkFileTree(directory.resolve(WORK), new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                    Files.delete(file);
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException failure)
                        throws IOException {
                    Files.delete(visited);
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (NoSuchFileException _) {
            // as it usually is
        } catch (IOException _) {
            // It takes room, but is in nobody's way; the next compaction will say why it cannot be removed.
        }
    }
}
