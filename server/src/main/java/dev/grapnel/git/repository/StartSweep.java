package dev.grapnel.git.repository;

import dev.grapnel.git.repository.DataDirectory.Area;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What a process that was killed left in our own corner. Nobody waits for any of it, and nobody was told that
/// it is there.
final class StartSweep {
    private static final Logger LOG = LoggerFactory.getLogger(StartSweep.class);

    private final DataDirectory data;
    private int removed;

    private StartSweep(DataDirectory data) {
        this.data = data;
    }

    /// Removes it; before anything else happens in the directory.
    static void run(DataDirectory data) throws IOException {
        var sweep = new StartSweep(data);
        sweep.sweepQuarantine();
        sweep.removeAllIn(data.area(Area.MAKING));
        sweep.removeAllIn(data.area(Area.DOOMED));
        sweep.sweepTrash();
        if (sweep.removed > 0) {
            LOG.info("leftovers removed count={}", sweep.removed);
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
}
