package dev.grapnel.store.lmdb;

import dev.grapnel.store.table.StoreFailure;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/// The file as our own reading sees it: mapped as a whole, and mapped anew when it outgrew its map. Old maps
/// stay for as long as a commit is read through them. Belongs to the writer thread, except [#flush].
final class PageFile implements AutoCloseable {
    /// Room to grow in that is added to the file, as a hole, so that maps are made rarely.
    private static final long SLACK_BYTES_MIN = 1 << 20;

    private static final long SLACK_BYTES_MAX = 1L << 30;

    private final Path path;
    private PageMap map;

    /// Kept open, because a system tells of a failure to write those who had the file open. Nothing for those
    /// who only read.
    private @Nullable FileChannel flushing;

    private boolean closed;

    PageFile(Path path, Access access) throws IOException {
        this.path = path;
        this.map = mapped();
        this.flushing = switch (access) {
            case READING -> null;
            case WRITING -> open(StandardOpenOption.WRITE);
        };
    }

    private FileChannel open(StandardOpenOption option) throws IOException {
        return FileChannel.open(path, option);
    }

    PageMap map() {
        return map;
    }

    /// Makes sure that the map has at least this many bytes, or as many as the file has if it cannot be
    /// extended.
    void cover(long bytes) {
        if (bytes <= map.bytes().byteSize()) {
            return;
        }
        try {
            extend(bytes + Math.clamp(bytes / 8, SLACK_BYTES_MIN, SLACK_BYTES_MAX));
        } catch (IOException _) {
            // Beyond a limit for files, or on a system without holes: then there is a new map for each growth.
        }
        try {
            var old = map;
            map = mapped();
            old.discard();
        } catch (IOException e) {
            throw new StoreFailure("could not map " + path + ": " + e.getMessage(), e);
        }
    }

    private void extend(long bytes) throws IOException {
        if (Files.size(path) < bytes) {
            setLength(bytes);
        }
    }

    /// Takes back what [#cover] added. Nobody may write to the file.
    void trim(long bytes) throws IOException {
        if (Files.size(path) > bytes) {
            setLength(bytes);
        }
    }

    private void setLength(long bytes) throws IOException {
        try (var file = new RandomAccessFile(path.toFile(), "rw")) {
            file.setLength(bytes);
        }
    }

    /// Writes to the device whatever of the file the system still holds in memory.
    synchronized void flush() throws IOException {
        if (closed) {
            return;
        }
        Uninterrupted.run(() -> {
            var channel = flushing;
            if (channel == null || !channel.isOpen()) {
                channel = open(StandardOpenOption.WRITE);
                flushing = channel;
            }
            channel.force(false);
            return true;
        });
    }

    private PageMap mapped() throws IOException {
        return Uninterrupted.run(() -> {
            try (var channel = open(StandardOpenOption.READ)) {
                return PageMap.of(channel);
            }
        });
    }

    @Override
    public synchronized void close() {
        closed = true;
        map.discard();
        try {
            if (flushing != null) {
                flushing.close();
            }
        } catch (IOException _) {
            // What was to be flushed is flushed.
        }
    }
}
