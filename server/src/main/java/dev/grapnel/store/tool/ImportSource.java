package dev.grapnel.store.tool;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;

/// Where lines come from.
///
/// @param name what the operator calls it
/// @param bytes how many there are; known for files, which can be read more than once
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
            return new ImportSource(file.toString(), size(file), () -> Files.newInputStream(file));
        } catch (IOException e) {
            throw ToolFailure.of("read", file, e);
        }
    }

    /// Whether there is such a file and it can be read. A pipe is not opened to find out: whoever writes to it
    /// would take its closing for the end.
    private static OptionalLong size(Path file) throws IOException {
        file.getFileSystem().provider().checkAccess(file, AccessMode.READ);
        if (!Files.isRegularFile(file)) {
            return OptionalLong.empty();
        }
        Files.newInputStream(file).close();
        return OptionalLong.of(Files.size(file));
    }

    boolean canBeReadAgain() {
        return bytes.isPresent();
    }

    /// A stream that is open already, such as the standard input.
    public static ImportSource of(String name, InputStream in) {
        return new ImportSource(name, OptionalLong.empty(), () -> in);
    }
}
