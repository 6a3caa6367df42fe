package dev.grapnel.git.repository;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// Files in a repository that somebody did not finish. What is still being written is young.
public final class Leftovers {
    private static final List<String> PARTS_OF_PACKS = List.of(".pack", ".bitmap", ".rev", ".keep", ".mtimes");

    private Leftovers() {}

    /// All that nobody can be using any more.
    ///
    /// @param repository its directory
    /// @param olderThan what is younger may be in use
    public static List<Path> find(Path repository, Instant olderThan) throws IOException {
        var found = new ArrayList<Path>();
        var all = Stream.concat(unfinished(repository).stream(), withoutIndex(repository).stream());
        for (var file : all.toList()) {
            if (isOlder(file, olderThan)) {
                found.add(file);
            }
        }
        return found;
    }

    /// Locks, and what has a name for the time being, of whatever age.
    ///
    /// @param repository its directory
    public static List<Path> unfinished(Path repository) throws IOException {
        var found = new ArrayList<Path>();
        addUnfinished(repository, found);
        addUnfinishedBelow(repository.resolve("refs"), found);
        addUnfinished(repository.resolve("objects", "info"), found);
        addUnfinished(packs(repository), found);
        return found;
    }

    private static void addUnfinishedBelow(Path directory, List<Path> found) throws IOException {
        addUnfinished(directory, found);
        for (var entry : FileTree.entries(directory)) {
            if (FileTree.isDirectory(entry)) {
                addUnfinishedBelow(entry, found);
            }
        }
    }

    private static void addUnfinished(Path directory, List<Path> found) throws IOException {
        for (var file : files(directory)) {
            if (nameOf(file).startsWith("tmp_") || nameOf(file).endsWith(".lock")) {
                found.add(file);
            }
        }
    }

    /// A pack without index is seen by nobody: a push never got further, or its removal did not.
    private static List<Path> withoutIndex(Path repository) throws IOException {
        return files(packs(repository)).stream().filter(Leftovers::lacksIndex).toList();
    }

    private static boolean lacksIndex(Path file) {
        var name = nameOf(file);
        return PARTS_OF_PACKS.stream()
                .filter(name::endsWith)
                .map(part -> name.substring(0, name.length() - part.length()) + ".idx")
                .anyMatch(index -> !Files.exists(file.resolveSibling(index)));
    }

    private static List<Path> files(Path directory) throws IOException {
        return FileTree.entries(directory).stream()
                .filter(Files::isRegularFile)
                .sorted()
                .toList();
    }

    private static Path packs(Path repository) {
        return repository.resolve("objects", "pack");
    }

    private static String nameOf(Path file) {
        return String.valueOf(file.getFileName());
    }

    private static boolean isOlder(Path file, Instant than) throws IOException {
        try {
            return Files.getLastModifiedTime(file).toInstant().isBefore(than);
        } catch (NoSuchFileException _) {
            return false; // it was in use, and is gone now
        }
    }
}
