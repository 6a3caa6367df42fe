package dev.grapnel.git.repository;

import dev.grapnel.git.Disk;
import dev.grapnel.git.repository.DataDirectory.Area;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What a process that was killed left in our own corner. Nobody waits for any of it, and nobody was told that
/// it is there.
final class StartSweep {
    private static final Logger LOG = LoggerFactory.getLogger(StartSweep.class);

    private static final Pattern INDEX_NAME = Pattern.compile("pack-[0-9a-f]{40}\\.idx");

    private final DataDirectory data;
    private final Disk disk;
    private int removed;

    private StartSweep(DataDirectory data, Disk disk) {
        this.data = data;
        this.disk = disk;
    }

    /// Removes it; before anything else happens in the directory.
    static void run(DataDirectory data, Disk disk) throws IOException {
        var sweep = new StartSweep(data, disk);
        sweep.sweepQuarantine();
        sweep.removeAllIn(data.area(Area.MAKING));
        sweep.removeAllIn(data.area(Area.DOOMED));
        sweep.sweepTrash();
        sweep.sweepHunting();
        if (sweep.removed > 0) {
            LOG.info("leftovers removed count={}", sweep.removed);
        }
    }

    private void sweepQuarantine() throws IOException {
        for (var quarantine : FileTree.entries(data.area(Area.QUARANTINE))) {
            var announcement = quarantine.resolve(Quarantine.TARGET);
            if (Files.isRegularFile(announcement)) {
                endMove(Quarantine.packDirectory(quarantine), Files.readAllLines(announcement));
            }
        }
        removeAllIn(data.area(Area.QUARANTINE));
    }

    /// @param announcement the repository, and the packs that were to move
    private void endMove(Path from, List<String> announcement) throws IOException {
        var repository = data.root()
                .resolve(announcement.isEmpty() ? "" : announcement.getFirst())
                .normalize();
        if (repository.equals(data.root()) || !repository.startsWith(data.root())) {
            return;
        }
        var to = repository.resolve("objects", "pack");
        var indexes = announcement.stream()
                .skip(1)
                .map(name -> name + Quarantine.INDEX)
                .filter(name -> INDEX_NAME.matcher(name).matches())
                .toList();
        if (indexes.stream().anyMatch(name -> Files.exists(to.resolve(name)))) {
            finishMove(from, to, indexes);
        } else {
            undoMove(from, to);
        }
    }

    /// Some packs are to be seen already, and may rest on the others.
    private void finishMove(Path from, Path to, List<String> indexes) throws IOException {
        for (var index : indexes) {
            if (Files.exists(from.resolve(index))) {
                disk.rename(from.resolve(index), to.resolve(index));
            }
        }
        disk.forceDirectory(to);
    }

    /// An index that is still here without its pack: that was moved already, and nobody can use it.
    private void undoMove(Path from, Path to) throws IOException {
        for (var file : FileTree.entries(from)) {
            var name = String.valueOf(file.getFileName());
            var pack = name.replaceFirst("\\.idx$", ".pack");
            var moved = to.resolve(pack);
            boolean cutShort = name.endsWith(Quarantine.INDEX)
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

    /// Half of a pack: it never came in whole, and what it has would be fetched again.
    private void sweepHunting() throws IOException {
        for (var area : FileTree.entries(data.area(Area.HUNTING))) {
            try {
                sweepHunted(area);
            } catch (IOException e) { // whoever loads it says what becomes of it
                LOG.warn("hunting area not swept directory={} error={}", area, e.toString());
            }
        }
    }

    private void sweepHunted(Path area) throws IOException {
        for (var file : FileTree.entries(Quarantine.packDirectory(area))) {
            if (!HuntingAreas.isWhole(file)) {
                FileTree.delete(file);
                removed++;
            }
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
