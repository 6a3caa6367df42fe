package dev.grapnel.git;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Objects;

/// The few things done to files whose order decides what a crash leaves behind, and how much room is left
/// for them. Tests put a failing one in its place.
///
/// None of them is spoilt by an interrupt: half a change is worse than a late end.
public interface Disk {
    /// The disk of this machine.
    Disk REAL = new RealDisk();

    /// What goes into a file.
    interface Content {
        void writeTo(OutputStream out) throws IOException;
    }

    /// Makes an empty file.
    ///
    /// @throws java.nio.file.FileAlreadyExistsException if something has the name, which makes the file a
    ///     lock
    void create(Path file) throws IOException;

    /// Replaces what is in a file; it lies on the device when this returns.
    void write(Path file, Content content) throws IOException;

    /// Puts a file in the place of another, or of none: whole, or not at all. It lies on the device when
    /// this returns.
    ///
    /// @param draft where it is written first, in the same directory
    static void replace(Disk disk, Path file, Path draft, Content content) throws IOException {
        disk.write(draft, content);
        disk.rename(draft, file);
        disk.forceDirectory(Objects.requireNonNull(file.getParent()));
    }

    /// Adds to the end of a file, which is made if it is missing; it lies on the device when this returns.
    void append(Path file, Content content) throws IOException;

    /// Waits until a file that somebody wrote lies on the device.
    void force(Path file) throws IOException;

    /// Waits until names that came and went in a directory lie on the device.
    void forceDirectory(Path directory) throws IOException;

    /// Gives a file or directory another name in one step; a file that had it is gone.
    void rename(Path from, Path to) throws IOException;

    /// Gives a file a second name.
    void link(Path existing, Path name) throws IOException;

    /// Removes a file or an empty directory; that it is gone already is fine.
    void delete(Path file) throws IOException;

    /// Says when a file was last changed.
    void setModified(Path file, Instant time) throws IOException;

    /// Lets nobody write to a file: packs never change, and stock git makes them so, too.
    void setReadOnly(Path file) throws IOException;

    /// Bytes that can still be written where a file lies.
    long usableSpace(Path file) throws IOException;
}
