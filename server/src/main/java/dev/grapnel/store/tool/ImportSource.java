package dev.grapnel.store.tool;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;

/// Where lines come from.
///
/// @param name what the operator calls it
/// @param bytes how many there are, if that is known
/// @param opener begins reading
public record ImportSource(String name, OptionalLong bytes, Opener opener) {
    /// Begins reading.
    @FunctionalInterface
    public interface Opener {
        InputStream open() throws IOException;
    }

    /// A file, which must be there.
    ///
    /// @throws ToolFailure if it cannot be read
    public static ImportSource of(Path file) {
        if (Files.isDirectory(file)) {
            throw new ToolFailure("could not read " + file + ": it is a directory");
        }
        try {
            Files.newInputStream(file).close();
            var bytes = Files.isRegularFile(file) ? OptionalLong.of(Files.size(file)) : OptionalLong.empty();
            return new ImportSource(file.toString(), bytes, () -> Files.newInputStream(file));
        } catch (IOException e) {
            throw ToolFailure.of("read", file, e);
        }
    }

    /// A stream that is open already, such as the standard input.
    public static ImportSource of(String name, InputStream in) {
        return new ImportSource(name, OptionalLong.empty(), () -> in);
    }
}
