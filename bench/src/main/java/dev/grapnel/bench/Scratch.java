package dev.grapnel.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;

/// A directory for one measurement that goes with everything in it.
public record Scratch(Path directory) implements AutoCloseable {
    /// Makes one inside of another, which is made if it is not there.
    public static Scratch in(Path place, String prefix) throws IOException {
        return new Scratch(
                Files.createTempDirectory(Files.createDirectories(place).toAbsolutePath(), prefix));
    }

    @Override
    public void close() throws IOException {
        try (var files = Files.walk(directory)) {
            for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
