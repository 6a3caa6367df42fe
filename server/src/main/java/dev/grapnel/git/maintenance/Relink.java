package dev.grapnel.git.maintenance;

import dev.grapnel.git.Disk;
import dev.grapnel.git.repository.RepositoryPlace;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Makes equal packs of several repositories one file again (service 7.5).
///
/// They are compared byte by byte, once, as afterwards they are the same file: a name is only a hash, and
/// one owner must not be able to give another a pack of different content.
final class Relink {
    private static final Logger LOG = LoggerFactory.getLogger(Relink.class);

    private final Disk disk;
    private final Pace pace;

    Relink(Disk disk, Pace pace) {
        this.disk = disk;
        this.pace = pace;
    }

    /// Links what is equal.
    ///
    /// @param places repositories of one identifier
    /// @return bytes that are no longer kept twice
    long run(List<RepositoryPlace> places) throws IOException {
        Map<String, Path> first = new TreeMap<>();
        long saved = 0;
        for (var place : places) {
            var packs = new PackDirectory(disk, place.directory());
            for (var pack : packs.list()) {
                var file = packs.path().resolve(pack.name() + ".pack");
                var known = first.putIfAbsent(pack.name(), file);
                if (known != null && link(known, file, packs)) {
                    saved += pack.bytes();
                }
            }
        }
        return saved;
    }

    private boolean link(Path known, Path file, PackDirectory packs) throws IOException {
        try {
            if (Files.isSameFile(known, file) || Files.size(known) != Files.size(file)) {
                return false;
            }
            pace.spend(2 * Files.size(file));
            if (Files.mismatch(known, file) >= 0) {
                return false;
            }
            var draft = packs.path().resolve(packs.scratch() + "_link");
            disk.link(known, draft);
            disk.rename(draft, file);
            disk.forceDirectory(packs.path());
            return true;
        } catch (NoSuchFileException _) {
            return false; // it was replaced while we looked
        } catch (FileSystemException | UnsupportedOperationException e) {
            LOG.debug(
                    "equal packs stay apart file={} reason={}", file, e.getMessage()); // two file systems, or no links
            return false;
        }
    }
}
