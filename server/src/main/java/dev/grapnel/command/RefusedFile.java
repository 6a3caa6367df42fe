package dev.grapnel.command;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;

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
    private final Optional<Path> file;
    private boolean isAddedTo;
    private Optional<OutputStream> out = Optional.empty();

    private RefusedFile(Optional<Path> file) {
        this.file = file;
    }

    /// @param inputs which must not be overwritten
    static RefusedFile open(Optional<Path> wanted, List<Path> inputs) {
        wanted.ifPresent(file -> requireWritable(file, inputs));
        return new RefusedFile(wanted);
    }

    private static void requireWritable(Path file, List<Path> inputs) {
        try {
            for (var input : inputs) {
                if (Files.exists(file) && Files.isSameFile(file, input)) {
                    throw new ToolFailure("what is refused cannot be written to " + file + ", as that is read");
                }
            }
            if (!Files.exists(file) || Files.isRegularFile(file)) {
                Files.newOutputStream(file, CREATE, APPEND).close();
            }
        } catch (IOException e) {
            throw ToolFailure.of("write", file, e);
        }
    }

    /// The import goes on with an earlier one, so what that has written stays.
    void goOn() {
        isAddedTo = true;
    }

    void write(RefusedLine line) {
        if (file.isEmpty()) {
            return;
        }
        try {
            var stream = stream(file.get());
            stream.write(line.json().toArray());
            stream.write('\n');
        } catch (IOException e) {
            throw ToolFailure.of("write", file.get(), e);
        }
    }

    private OutputStream stream(Path path) throws IOException {
        if (out.isEmpty()) {
            out = Optional.of(new BufferedOutputStream(
                    isAddedTo
                            ? Files.newOutputStream(path, CREATE, APPEND)
                            : Files.newOutputStream(path, CREATE, WRITE, TRUNCATE_EXISTING)));
        }
        return out.get();
    }

    @Override
    public void close() {
        if (file.isEmpty()) {
            return;
        }
        try {
            stream(file.get()).close();
        } catch (IOException e) {
            throw ToolFailure.of("write", file.get(), e);
        }
    }
}
