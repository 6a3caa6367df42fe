package dev.grapnel.command;

import dev.grapnel.store.tool.RefusedLine;
import dev.grapnel.store.tool.ToolFailure;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// Keeps what was refused, one JSON object in a line, or keeps nothing if nobody asked for it.
final class RefusedFile implements AutoCloseable {
    private final Path file;
    private final OutputStream out;

    private RefusedFile(Path file, OutputStream out) {
        this.file = file;
        this.out = out;
    }

    /// @param inputs which must not be overwritten
    static RefusedFile open(Optional<Path> wanted, List<Path> inputs) {
        if (wanted.isEmpty()) {
            return new RefusedFile(Path.of(""), OutputStream.nullOutputStream());
        }
        var file = wanted.get();
        try {
            for (var input : inputs) {
                if (Files.exists(file) && Files.isSameFile(file, input)) {
                    throw new ToolFailure("what is refused cannot be written to " + file + ", as that is read");
                }
            }
            return new RefusedFile(file, new BufferedOutputStream(Files.newOutputStream(file)));
        } catch (IOException e) {
            throw ToolFailure.of("write", file, e);
        }
    }

    void write(RefusedLine line) {
        try {
            out.write(line.json().toArray());
            out.write('\n');
        } catch (IOException e) {
            throw ToolFailure.of("write", file, e);
        }
    }

    @Override
    public void close() {
        try {
            out.close();
        } catch (IOException e) {
            throw ToolFailure.of("write", file, e);
        }
    }
}
