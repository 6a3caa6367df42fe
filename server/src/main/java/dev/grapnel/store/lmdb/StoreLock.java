package dev.grapnel.store.lmdb;

import dev.grapnel.store.table.StoreFailure;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// Keeps a second program, or a second part of this one, away from a store's directory.
final class StoreLock implements AutoCloseable {
    static final String FILE = "grapnel.lock";

    /// Directories this process has locked. The system's lock is of no use among those who share a process:
    /// it is even lost when one of them merely opens and closes the file.
    private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

    private static final int PID_BYTES_MAX = 20;

    private final Path directory;
    private final FileChannel channel;

    private StoreLock(Path directory, FileChannel channel) {
        this.directory = directory;
        this.channel = channel;
    }

    /// @throws StoreFailure if the directory cannot be used, or is in use
    static StoreLock acquire(Path directory) {
        var real = requireDirectory(directory);
        if (!HELD.add(real)) {
            throw inUse(directory, "this process (" + ProcessHandle.current().pid() + ") already");
        }
        try {
            return new StoreLock(real, locked(real));
        } catch (StoreFailure e) {
            HELD.remove(real);
            throw e;
        }
    }

    private static Path requireDirectory(Path directory) {
        if (!Files.exists(directory)) {
            throw new StoreFailure(
                    "the store's directory " + directory + " does not exist; create it, or configure another");
        }
        if (!Files.isDirectory(directory)) {
            throw new StoreFailure("the store's directory " + directory + " is not a directory; configure another");
        }
        try {
            return directory.toRealPath();
        } catch (IOException e) {
            throw new StoreFailure("could not find the store's directory " + directory + ": " + e.getMessage(), e);
        }
    }

    private static FileChannel locked(Path directory) {
        FileChannel channel;
        try {
            channel = FileChannel.open(
                    directory.resolve(FILE),
                    StandardOpenOption.CREATE,
                    StandardOpenOption.READ,
                    StandardOpenOption.WRITE);
        } catch (IOException e) {
            throw notWritable(directory, e);
        }
        try {
            lock(directory, channel);
            return channel;
        } catch (IOException e) {
            closeQuietly(channel);
            throw notWritable(directory, e);
        } catch (StoreFailure e) {
            closeQuietly(channel);
            throw e;
        }
    }

    private static void lock(Path directory, FileChannel channel) throws IOException {
        FileLock lock = channel.tryLock();
        if (lock == null) {
            var pid = pidIn(channel);
            throw inUse(directory, pid.isEmpty() ? "another process" : "process " + pid);
        }
        channel.truncate(0);
        channel.write(
                ByteBuffer.wrap(Long.toString(ProcessHandle.current().pid()).getBytes(StandardCharsets.US_ASCII)), 0);
    }

    private static String pidIn(FileChannel channel) throws IOException {
        var bytes = ByteBuffer.allocate(PID_BYTES_MAX);
        channel.read(bytes, 0);
        var text = new String(bytes.array(), 0, bytes.position(), StandardCharsets.US_ASCII);
        return text.chars().allMatch(c -> c >= '0' && c <= '9') ? text : "";
    }

    private static StoreFailure inUse(Path directory, String holder) {
        return new StoreFailure("the store in " + directory + " is in use by " + holder + "; stop that first");
    }

    private static StoreFailure notWritable(Path directory, IOException cause) {
        var reason = cause instanceof AccessDeniedException ? "this user may not write there" : cause.getMessage();
        return new StoreFailure(
                "could not write to the store's directory " + directory + ": " + reason
                        + "; make it writable, or configure another",
                cause);
    }

    private static void closeQuietly(FileChannel channel) {
        try {
            channel.close();
        } catch (IOException _) {
            // Nothing was written through it.
        }
    }

    @Override
    public void close() {
        closeQuietly(channel);
        HELD.remove(directory);
    }
}
