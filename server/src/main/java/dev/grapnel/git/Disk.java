package dev.grapnel.git;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;

/// The few things done to files whose order decides what a crash leaves behind. Tests put a failing one in
/// its place.
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
}
