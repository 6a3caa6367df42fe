package dev.grapnel.git.repository;

import dev.grapnel.git.repository.DataDirectory.Area;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What a process that was killed left behind. Nobody waits for any of it, and nobody was told that it is
/// there.
final class Leftovers {
    private static final Logger LOG = LoggerFactory.getLogger(Leftovers.class);

    private final DataDirectory data;
    private int removed;

    private Leftovers(DataDirectory data) {
        this.data = data;
    }

    /// Removes it; before anything else happens in the directory.
    static void sweep(DataDirectory data) throws IOException {
        var leftovers = new Leftovers(data);
        leftovers.sweepQuarantine();
        leftovers.removeAllIn(data.area(Area.MAKING));
        leftovers.removeAllIn(data.area(Area.DOOMED));
        leftovers.sweepTrash();
        for (var owner : FileTree.entries(data.root())) {
            if (String.valueOf(owner.getFileName()).startsWith("npub1") && FileTree.isDirectory(owner)) {
                leftovers.sweepRepositories(owner);
            }
        }
        if (leftovers.removed > 0) {
            LOG.info("leftovers removed count={}", leftovers.removed);
        }
    }

    private void sweepQuarantine() throws IOException {
        for (var quarantine : FileTree.entries(data.area(Area.QUARANTINE))) {
            undoMove(quarantine);
        }
        removeAllIn(data.area(Area.QUARANTINE));
    }

    /// An index that is still here without its pack: that was moved already, and nobody can use it.
    private void undoMove(Path quarantine) throws IOException {
        var target = quarantine.resolve(Quarantine.TARGET);
        if (!Files.isRegularFile(target)) {
            return;
        }
        var repository = data.root().resolve(Files.readString(target)).normalize();
        if (!repository.startsWith(data.root())) {
            return;
        }
        for (var file : FileTree.entries(Quarantine.packDirectory(quarantine))) {
            var name = String.valueOf(file.getFileName());
            var pack = name.replaceFirst("\\.idx$", ".pack");
            var moved = repository.resolve("objects", "pack", pack);
            boolean cutShort = name.endsWith(".idx")
                    && !Files.exists(file.resolveSibling(pack))
                    && !Files.exists(moved.resolveSibling(name));
            if (cutShort && Files.deleteIfExists(moved)) {
                removed++;
            }
        }
    }

    private void removeAllIn(Path area) throws IOException {
        for (var entry : FileTree.entries(area)) {
            FileTree.delete(entry);
            removed++;
        }
    }

    /// A label to which no repository came, or from which it was taken back.
    private void sweepTrash() throws IOException {
        for (var entry : FileTree.entries(data.area(Area.TRASH))) {
            if (!FileTree.isDirectory(entry.resolve(Trash.REPOSITORY))) {
                FileTree.delete(entry);
                removed++;
            }
        }
    }

    private void sweepRepositories(Path owner) throws IOException {
        for (var repository : FileTree.entries(owner)) {
            if (FileTree.isDirectory(repository)) {
                removeLocksIn(repository);
                removeLocksBelow(repository.resolve("refs"));
                removeLocksIn(repository.resolve("objects", "info"));
                removeUnfinishedIn(repository.resolve("objects", "pack"));
            }
        }
    }

    private void removeLocksBelow(Path directory) throws IOException {
        removeLocksIn(directory);
        for (var entry : FileTree.entries(directory)) {
            if (FileTree.isDirectory(entry)) {
                removeLocksBelow(entry);
            }
        }
    }

    private void removeLocksIn(Path directory) throws IOException {
        for (var file : FileTree.entries(directory)) {
            if (String.valueOf(file.getFileName()).endsWith(".lock") && Files.isRegularFile(file)) {
                remove(file);
            }
        }
        removeUnfinishedIn(directory);
    }

    private void removeUnfinishedIn(Path directory) throws IOException {
        for (var file : FileTree.entries(directory)) {
            if (String.valueOf(file.getFileName()).startsWith("tmp_") && Files.isRegularFile(file)) {
                remove(file);
            }
        }
    }

    private void remove(Path file) throws IOException {
        Files.deleteIfExists(file);
        removed++;
    }
}
