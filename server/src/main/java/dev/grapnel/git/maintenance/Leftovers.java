package dev.grapnel.git.maintenance;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// Files that a crash left behind. What is still being written is young.
final class Leftovers {
    private static final List<String> PARTS_OF_PACKS = List.of(".pack", ".bitmap", ".rev", ".keep", ".mtimes");

    private Leftovers() {}

    /// Finds them.
    ///
    /// @param repository its directory
    /// @param olderThan what is younger may be in use
    static List<Path> find(Path repository, Instant olderThan) throws IOException {
        var found = new ArrayList<Path>();
        var packs = repository.resolve("objects").resolve("pack");
        for (var directory : List.of(repository, packs, packs.resolveSibling("info"))) {
            for (var file : filesIn(directory)) {
                var name = file.getFileName().toString();
                boolean isOurs = name.startsWith(PackDirectory.SCRATCH);
                boolean isLeft = name.startsWith("tmp_")
                        || name.endsWith(".lock")
                        || (directory.equals(packs) && isWithoutIndex(file, name));
                if (isOurs || (isLeft && isOlder(file, olderThan))) {
                    found.add(file);
                }
            }
        }
        return found;
    }

    /// Deletes them.
    ///
    /// @return how many there were
    static int sweep(Disk disk, Path repository, Instant olderThan) throws IOException {
        var found = find(repository, olderThan);
        for (var file : found) {
            disk.delete(file);
        }
        return found.size();
    }

    /// A pack without index is seen by nobody: a push never got further, or its removal did not.
    private static boolean isWithoutIndex(Path file, String name) {
        return PARTS_OF_PACKS.stream()
                .filter(name::endsWith)
                .anyMatch(extension -> !Files.exists(
                        file.resolveSibling(name.substring(0, name.length() - extension.length()) + ".idx")));
    }

    private static List<Path> filesIn(Path directory) throws IOException {
        try (var all = Files.list(directory)) {
            return all.filter(Files::isRegularFile).sorted().toList();
        } catch (NoSuchFileException _) {
            return List.of();
        }
    }

    private static boolean isOlder(Path file, Instant than) throws IOException {
        try {
            return Files.getLastModifiedTime(file).toInstant().isBefore(than);
        } catch (NoSuchFileException _) {
            return false; // it was in use, and is gone now
        }
    }
}
