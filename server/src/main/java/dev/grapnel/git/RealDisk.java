package dev.grapnel.git;

import java.io.BufferedOutputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;

/// The disk of this machine.
final class RealDisk implements Disk {
    private static final int BUFFER = 1 << 16;

    @Override
    public void create(Path file) throws IOException {
        Files.createFile(file);
    }

    @Override
    public void write(Path file, Content content) throws IOException {
        writeTo(new FileOutputStream(file.toFile()), content);
    }

    @Override
    public void append(Path file, Content content) throws IOException {
        writeTo(new FileOutputStream(file.toFile(), true), content);
    }

    /// A plain stream: channels are closed under a thread that is interrupted.
    private static void writeTo(FileOutputStream file, Content content) throws IOException {
        try (file) {
            var buffered = new BufferedOutputStream(file, BUFFER);
            content.writeTo(buffered);
            buffered.flush();
            file.getFD().sync();
        }
    }

    @Override
    public void force(Path file) throws IOException {
        forceAny(file);
    }

    @Override
    public void forceDirectory(Path directory) throws IOException {
        forceAny(directory);
    }

    /// Opened for reading: neither directories nor the packs that git writes can be opened otherwise.
    private static void forceAny(Path file) throws IOException {
        boolean interrupted = Thread.interrupted();
        try {
            boolean done = false;
            while (!done) {
                try (var channel = FileChannel.open(file, StandardOpenOption.READ)) {
                    channel.force(true);
                    done = true;
                } catch (ClosedByInterruptException _) {
                    interrupted |= Thread.interrupted();
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public void rename(Path from, Path to) throws IOException {
        Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
    }

    @Override
    public void link(Path existing, Path name) throws IOException {
        Files.createLink(name, existing);
    }

    @Override
    public void delete(Path file) throws IOException {
        Files.deleteIfExists(file);
    }

    @Override
    public void setModified(Path file, Instant time) throws IOException {
        Files.setLastModifiedTime(file, FileTime.from(time));
    }

    @Override
    public void setReadOnly(Path file) throws IOException {
        if (file.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("r--r--r--"));
        }
    }

    @Override
    public long usableSpace(Path file) throws IOException {
        return Files.getFileStore(file).getUsableSpace();
    }
}
