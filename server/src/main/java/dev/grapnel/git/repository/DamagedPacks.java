package dev.grapnel.git.repository;

import dev.grapnel.git.Disk;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Packs that nothing can be read from because they do not end as their index says: cut short, or another file.
///
/// Their indexes promise objects that are not there, and a good copy would have the same name, so nothing could take
/// their place. They are kept beside the others under a name that nobody looks for.
final class DamagedPacks {
    private static final Logger LOG = LoggerFactory.getLogger(DamagedPacks.class);
    private static final Pattern INDEX = Pattern.compile("(pack-[0-9a-f]{40})\\.idx");
    private static final String ASIDE = ".damaged";
    private static final int DIGEST = 20;

    private DamagedPacks() {}

    /// Puts them aside. Indexes go first: a pack without one is seen by nobody.
    ///
    /// @param repository its directory
    static void putAside(Path repository, Disk disk) throws IOException {
        var directory = repository.resolve("objects", "pack");
        boolean isChanged = false;
        for (var index : FileTree.entries(directory)) {
            var name = INDEX.matcher(String.valueOf(index.getFileName()));
            if (name.matches()) {
                var pack = directory.resolve(name.group(1) + ".pack");
                if (Files.exists(pack) && !belongTogether(index, pack)) {
                    LOG.warn("pack is damaged and was put aside; delete it when its repository is whole pack={}", pack);
                    disk.rename(index, aside(index));
                    disk.rename(pack, aside(pack));
                    isChanged = true;
                }
            }
        }
        if (isChanged) {
            disk.forceDirectory(directory);
        }
    }

    private static Path aside(Path file) {
        return file.resolveSibling(file.getFileName() + ASIDE);
    }

    /// An index ends with the digest of its pack and its own.
    private static boolean belongTogether(Path index, Path pack) throws IOException {
        try {
            return end(index, 2 * DIGEST).limit(DIGEST).equals(end(pack, DIGEST));
        } catch (EOFException _) {
            return false; // too short for any
        }
    }

    private static ByteBuffer end(Path file, int length) throws IOException {
        try (var channel = FileChannel.open(file, StandardOpenOption.READ)) {
            long at = channel.size() - length;
            if (at < 0) {
                throw new EOFException(file.toString());
            }
            var end = ByteBuffer.allocate(length);
            while (end.hasRemaining()) {
                if (channel.read(end, at + end.position()) < 0) {
                    throw new EOFException(file.toString());
                }
            }
            return end.flip();
        }
    }
}
