package dev.grapnel.git.refs;

import dev.grapnel.git.Disk;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A file that no other git changes meanwhile: all of them agree that whoever makes `<file>.lock` may
/// replace it.
final class HeldFile implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HeldFile.class);
    private static final Duration STEP = Duration.ofMillis(10);

    private final Disk disk;
    private final Path file;
    private final Path lock;
    private boolean held = true;

    private HeldFile(Disk disk, Path file) {
        this.disk = disk;
        this.file = file;
        this.lock = lockOf(file);
    }

    private static Path lockOf(Path file) {
        return file.resolveSibling(file.getFileName() + ".lock");
    }

    /// Waits a while for whoever holds it.
    ///
    /// @throws IOException if it is held for longer than that
    static HeldFile take(Disk disk, Path file, Duration patience) throws IOException {
        for (long left = patience.dividedBy(STEP); ; left--) {
            try {
                disk.create(lockOf(file));
                return new HeldFile(disk, file);
            } catch (FileAlreadyExistsException e) {
                if (left <= 0) {
                    throw new IOException(
                            "another git program holds " + file + ": wait for it, or if none runs, remove "
                                    + lockOf(file),
                            e);
                }
                pause();
            }
        }
    }

    private static void pause() throws InterruptedIOException {
        LockSupport.parkNanos(STEP.toNanos());
        if (Thread.currentThread().isInterrupted()) {
            throw new InterruptedIOException("interrupted while another git program holds a file");
        }
    }

    /// Writes what shall take the file's place. How the file will look from outside can be told already.
    Stamps.Stamp prepare(Disk.Content content) throws IOException {
        disk.write(lock, content);
        return Stamps.Stamp.of(lock);
    }

    /// Puts what was prepared in place.
    void replace() throws IOException {
        disk.rename(lock, file);
        held = false;
    }

    /// Gives up what was not put in place.
    @Override
    public void close() {
        if (held) {
            held = false;
            try {
                disk.delete(lock);
            } catch (IOException e) {
                LOG.warn("lock left behind file={}", lock, e);
            }
        }
    }
}
