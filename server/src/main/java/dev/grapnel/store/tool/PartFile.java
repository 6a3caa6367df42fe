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

/// A file that has its name only when it is whole and on the device. Until then it is called `.part`; closing
/// without [#finish] removes it.
public final class PartFile implements AutoCloseable {
    private final Path file;
    private final Path part;
    private final FileChannel channel;
    private final OutputStream out;

    private PartFile(Path file, Path part, FileChannel channel) {
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
            var target = Files.exists(file) ? file.toRealPath() : file.toAbsolutePath();
            if (Files.exists(target) && !Files.isRegularFile(target)) {
                throw new ToolFailure(file + " is no regular file");
            }
            if (Files.exists(target) && present == Present.REFUSED) {
                throw new ToolFailure(file + " exists already; --force replaces it");
            }
            var part = target.resolveSibling(target.getFileName() + ".part");
            var channel = FileChannel.open(
                    part, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING);
            return new PartFile(target, part, channel);
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
        channel.force(true);
        channel.close();
        Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        try (var directory = FileChannel.open(part.resolveSibling("."), StandardOpenOption.READ)) {
            directory.force(true);
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
        Files.deleteIfExists(part);
    }
}
