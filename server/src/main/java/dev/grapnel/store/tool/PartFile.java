package dev.grapnel.store.tool;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/// A file that has its name only when it is whole and on the device. Until then it is called `.part`; closing
/// without [#finish] removes it. What is no file, such as a pipe, is written to as it is.
public final class PartFile implements AutoCloseable {
    private final Path file;
    private final Optional<Path> part;
    private final FileChannel channel;
    private final OutputStream out;

    private PartFile(Path file, Optional<Path> part, FileChannel channel) {
        this.file = file;
        this.part = part;
        this.channel = channel;
        this.out = new BufferedOutputStream(Channels.newOutputStream(channel), 1 << 16);
    }

    /// Whether a file of that name may be there already.
    public enum Present {
        REFUSED,
        REPLACED
    }

    /// Begins a file.
    ///
    /// @throws ToolFailure if it cannot be written, or is there and may not be
    public static PartFile create(Path file, Present present) {
        try {
            if (Files.isDirectory(file)) {
                throw new ToolFailure(file + " is a directory");
            }
            if (Files.exists(file) && !Files.isRegularFile(file)) {
                return new PartFile(file, Optional.empty(), FileChannel.open(file, StandardOpenOption.WRITE));
            }
            var target = Files.exists(file) ? file.toRealPath() : file.toAbsolutePath();
            if (Files.exists(target) && present == Present.REFUSED) {
                throw new ToolFailure(file + " exists already; --force replaces it");
            }
            var part = target.resolveSibling(target.getFileName() + ".part");
            var channel = FileChannel.open(
                    part, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING);
            return new PartFile(target, Optional.of(part), channel);
        } catch (IOException e) {
            throw ToolFailure.of("write", file, e);
        }
    }

    /// What is written here goes into the file.
    public OutputStream out() {
        return out;
    }

    /// Gives the file its name.
    public void finish() throws IOException {
        out.flush();
        if (part.isPresent()) {
            channel.force(true);
            channel.close();
            giveName(part.get());
        }
    }

    private void giveName(Path whole) throws IOException {
        Files.move(whole, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        try (var directory = FileChannel.open(whole.resolveSibling("."), StandardOpenOption.READ)) {
            directory.force(true);
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
        if (part.isPresent()) {
            Files.deleteIfExists(part.get());
        }
    }
}
