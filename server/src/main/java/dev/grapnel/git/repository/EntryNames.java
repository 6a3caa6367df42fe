package dev.grapnel.git.repository;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;

/// What a file system makes of names: some take two spellings of a name for the same file.
interface EntryNames {
    /// Whether names that differ may mean one file.
    boolean fold();

    /// The name, as it stands in a directory, of what the file system takes for this name.
    Optional<String> find(Path directory, String name) throws IOException;

    /// Tries it out in a directory of ours.
    static EntryNames probe(Path directory) throws IOException {
        // Upper case, and an e with its accent in one character.
        var made = directory.resolve("Probe-\u00e9");
        Files.deleteIfExists(made);
        Files.createFile(made);
        try {
            boolean foldsCase = Files.exists(directory.resolve("probe-\u00e9"));
            boolean foldsForms = Files.exists(directory.resolve("Probe-e\u0301"));
            return new OfFileSystem(foldsCase || foldsForms);
        } finally {
            Files.deleteIfExists(made);
        }
    }

    /// Asks the file system.
    record OfFileSystem(boolean fold) implements EntryNames {
        @Override
        public Optional<String> find(Path directory, String name) throws IOException {
            var path = directory.resolve(name);
            if (!fold) {
                return Files.exists(path, LinkOption.NOFOLLOW_LINKS) ? Optional.of(name) : Optional.empty();
            }
            try {
                return Optional.ofNullable(
                                path.toRealPath(LinkOption.NOFOLLOW_LINKS).getFileName())
                        .map(Path::toString);
            } catch (NoSuchFileException _) {
                return Optional.empty();
            }
        }
    }
}
