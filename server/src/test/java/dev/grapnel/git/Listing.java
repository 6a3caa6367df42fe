package dev.grapnel.git;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// What lies in a directory.
public final class Listing {
    private Listing() {}

    /// Names in it, sorted.
    public static List<String> of(Path directory) throws IOException {
        try (var entries = Files.list(directory)) {
            return entries.map(entry -> String.valueOf(entry.getFileName()))
                    .sorted()
                    .toList();
        }
    }

    /// Every file below it, by its relative path.
    public static List<String> below(Path directory) throws IOException {
        try (var entries = Files.walk(directory)) {
            return entries.filter(entry -> !Files.isDirectory(entry))
                    .map(entry -> directory.relativize(entry).toString())
                    .sorted()
                    .toList();
        }
    }
}
