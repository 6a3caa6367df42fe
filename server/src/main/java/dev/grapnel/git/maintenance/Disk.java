package dev.grapnel.git.maintenance;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;

/// What maintenance does to files. Every step is here, so that a test can stop the world after each.
public interface Disk {
    /// The file system.
    Disk REAL = new Disk() {};

    /// Makes a file that must not exist, for reading and writing.
    default FileChannel create(Path file) throws IOException {
        return FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE, StandardOpenOption.READ);
    }

    /// Opens a file to add to its end; makes it if it is missing.
    default FileChannel append(Path file) throws IOException {
        return FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    /// Makes what was written durable.
    default void force(FileChannel file) throws IOException {
        file.force(true);
    }

    /// Makes names in a directory durable.
    default void forceDirectory(Path directory) throws IOException {
        try (var channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    /// Gives a file another name, in place of whatever had it.
    default void rename(Path from, Path to) throws IOException {
        Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /// Gives a file one more name.
    default void link(Path existing, Path name) throws IOException {
        Files.createLink(name, existing);
    }

    /// Takes a name away, if it is there.
    default void delete(Path file) throws IOException {
        Files.deleteIfExists(file);
    }

    /// Bytes that can still be written where a file lies.
    default long usableSpace(Path file) throws IOException {
        return Files.getFileStore(file).getUsableSpace();
    }

    /// Says when a file was last changed.
    default void setModified(Path file, Instant time) throws IOException {
        Files.setLastModifiedTime(file, FileTime.from(time));
    }

    /// Packs never change; stock git makes them so, too.
    default void setReadOnly(Path file) throws IOException {
        if (file.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("r--r--r--"));
        }
    }
}
