package dev.grapnel.store.tool;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/// A file that has its name only when it is whole and on the device. Until then it has a name of its own, which
/// ends with `.part`; closing without [#finish] removes it. What is no file, such as a pipe, is written to as
/// it is.
public final class PartFile implements AutoCloseable {
    private final Path file;
    private final Present present;
    private final Optional<Path> part;
    private final FileChannel channel;
    private final OutputStream out;

    private PartFile(Path file, Present present, Optional<Path> part, FileChannel channel) {
        this.file = file;
        this.present = present;
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
                return new PartFile(file, present, Optional.empty(), FileChannel.open(file, StandardOpenOption.WRITE));
            }
            var target = Files.exists(file) ? file.toRealPath() : file.toAbsolutePath();
            if (Files.exists(target) && present == Present.REFUSED) {
                throw existing(file);
            }
            var part = target.resolveSibling(
                    target.getFileName() + "." + ProcessHandle.current().pid() + ".part");
            Files.deleteIfExists(part); // of a process that was killed and had the same number
            var channel = FileChannel.open(part, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
            return new PartFile(target, present, Optional.of(part), channel);
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
        switch (present) {
            case REPLACED -> Files.move(whole, file, StandardCopyOption.ATOMIC_MOVE);
            case REFUSED -> giveNewName(whole);
        }
        try (var directory = FileChannel.open(whole.resolveSibling("."), StandardOpenOption.READ)) {
            directory.force(true);
        }
    }

    /// A link is made only where nothing of that name is; a move would take the place of what came meanwhile.
    private void giveNewName(Path whole) throws IOException {
        try {
            Files.createLink(file, whole);
        } catch (FileAlreadyExistsException _) {
            throw existing(file);
        } catch (UnsupportedOperationException | FileSystemException _) {
            if (Files.exists(file)) {
                throw existing(file);
            }
            Files.move(whole, file, StandardCopyOption.ATOMIC_MOVE); // a file system without links
        }
    }

    private static ToolFailure existing(Path file) {
        return new ToolFailure(file + " exists already; --force replaces it");
    }

    @Override
    public void close() throws IOException {
        channel.close();
        if (part.isPresent()) {
            Files.deleteIfExists(part.get());
        }
    }
}
