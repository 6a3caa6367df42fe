package dev.grapnel.git.maintenance;

import dev.grapnel.git.Disk;
import dev.grapnel.nostr.repository.Oid;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// Objects in files of their own. None are written here, but other programs leave them.
final class LooseObjects {
    private final Disk disk;
    private final Path objects;

    /// @param repository its directory
    LooseObjects(Disk disk, Path repository) {
        this.disk = disk;
        this.objects = repository.resolve("objects");
    }

    /// Whether an object is somewhere else.
    @FunctionalInterface
    interface Holder {
        boolean has(Oid id) throws IOException;
    }

    long count() throws IOException {
        long count = 0;
        for (var directory : directories()) {
            count += idsIn(directory).size();
        }
        return count;
    }

    /// Whether there are any that nobody else has.
    boolean hasMoreThan(Holder other) throws IOException {
        for (var directory : directories()) {
            for (var id : idsIn(directory)) {
                if (!other.has(id)) {
                    return true;
                }
            }
        }
        return false;
    }

    /// Deletes those that somebody else has.
    void deleteThoseOf(Holder other) throws IOException {
        for (var directory : directories()) {
            for (var id : idsIn(directory)) {
                if (other.has(id)) {
                    disk.delete(directory.resolve(id.toString().substring(2)));
                }
            }
        }
    }

    private List<Path> directories() throws IOException {
        return list(objects)
                .filter(directory -> directory.getFileName().toString().matches("[0-9a-f]{2}"))
                .toList();
    }

    private static List<Oid> idsIn(Path directory) throws IOException {
        return list(directory)
                .flatMap(file -> Oid.parse(directory.getFileName().toString() + file.getFileName()).find().stream())
                .toList();
    }

    private static Stream<Path> list(Path directory) throws IOException {
        try (var all = Files.list(directory)) {
            return all.sorted().toList().stream();
        } catch (NoSuchFileException _) {
            return Stream.empty(); // it went while we looked
        }
    }
}
