package dev.grapnel.git.repository;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Locks and unfinished files that an earlier process left in repositories. They are removed when a repository
/// is opened: to look through all of them would make every start wait.
final class LeftBehind {
    private static final Logger LOG = LoggerFactory.getLogger(LeftBehind.class);

    private final FileTime start;

    private LeftBehind(FileTime start) {
        this.start = start;
    }

    /// Everything up to now, as the file system counts time.
    ///
    /// @param written a file that this process has just written
    static LeftBehind before(Path written) throws IOException {
        return new LeftBehind(Files.getLastModifiedTime(written));
    }

    /// @param repository its directory
    void removeFrom(Path repository) throws IOException {
        int removed = 0;
        for (var file : Leftovers.unfinished(repository)) {
            if (isFromBefore(file) && Files.deleteIfExists(file)) {
                removed++;
            }
        }
        if (removed > 0) {
            LOG.info("leftovers removed repository={} count={}", repository, removed);
        }
    }

    /// By the time of its last change of any kind: a file that is linked anew keeps the time of its content.
    private boolean isFromBefore(Path file) throws IOException {
        try {
            var changed = (FileTime) Files.getAttribute(file, "unix:ctime", LinkOption.NOFOLLOW_LINKS);
            return changed.compareTo(start) <= 0;
        } catch (NoSuchFileException _) {
            return false; // somebody has finished
        }
    }
}
