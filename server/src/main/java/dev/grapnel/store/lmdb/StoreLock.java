package dev.grapnel.store.lmdb;

import dev.grapnel.store.table.StoreFailure;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// Keeps a second program, or a second part of this one, away from a store's directory. Whoever writes has it
/// alone; programs that only read share it.
final class StoreLock implements AutoCloseable {
    static final String FILE = "grapnel.lock";

    /// Directories this process has locked. The system's lock is of no use among those who share a process: it
    /// is even lost when one of them merely opens and closes the file.
    private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

    private static final int PID_BYTES_MAX = 19;

    private final Path directory;
    private final Access access;
    private final Optional<FileChannel> channel;

    private StoreLock(Path directory, Access access, Optional<FileChannel> channel) {
        this.directory = directory;
        this.access = access;
        this.channel = channel;
    }

    /// Whether a store was ever opened for writing in a directory.
    static boolean wasTaken(Path directory) {
        return Files.exists(directory.resolve(FILE));
    }

    /// No lock at all, for a look into a directory that is nobody's of ours.
    static StoreLock untaken(Path directory) {
        return new StoreLock(directory, Access.READING, Optional.empty());
    }

    /// What the directory was locked for.
    Access access() {
        return access;
    }

    /// @throws StoreFailure if the directory cannot be used, or is in use
    static StoreLock acquire(Path directory, Access access) {
        var real = requireDirectory(directory);
        if (!HELD.add(real)) {
            throw inUse(directory, "this process (" + ProcessHandle.current().pid() + ") already");
        }
        try {
            return new StoreLock(
                    real,
                    access,
                    switch (access) {
                        case READING -> findLocked(real);
                        case WRITING -> Optional.of(locked(real));
                    });
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
        try {
            return Uninterrupted.run(() -> {
                var channel = FileChannel.open(
                        directory.resolve(FILE),
                        StandardOpenOption.CREATE,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE);
                lock(directory, channel, Access.WRITING);
                return channel;
            });
        } catch (IOException e) {
            throw unusable("write to", directory, e);
        }
    }

    /// For those who read: the lock's file is left as it is. If it is missing and cannot be made, they go
    /// without: nobody writes now, as whoever does has made it.
    private static Optional<FileChannel> findLocked(Path directory) {
        try {
            if (!Files.exists(directory.resolve(FILE)) && !isMade(directory)) {
                return Optional.empty();
            }
            return Uninterrupted.run(() -> {
                var channel = FileChannel.open(directory.resolve(FILE), StandardOpenOption.READ);
                lock(directory, channel, Access.READING);
                return Optional.of(channel);
            });
        } catch (IOException e) {
            throw unusable("lock", directory, e);
        }
    }

    private static boolean isMade(Path directory) {
        try {
            Files.createFile(directory.resolve(FILE));
            return true;
        } catch (FileAlreadyExistsException _) {
            return true; // somebody was faster
        } catch (IOException _) {
            return false; // a read-only disk, or somebody else's
        }
    }

    private static void lock(Path directory, FileChannel channel, Access access) throws IOException {
        try {
            if (channel.tryLock(0, Long.MAX_VALUE, access == Access.READING) == null) {
                throw inUse(directory, holder(channel));
            }
            if (access == Access.WRITING) {
                channel.truncate(0);
                var pid = Long.toString(ProcessHandle.current().pid());
                channel.write(ByteBuffer.wrap(pid.getBytes(StandardCharsets.US_ASCII)), 0);
            }
        } catch (IOException | StoreFailure e) {
            closeQuietly(channel);
            throw e;
        }
    }

    /// Who wrote last, if it still runs: those who read leave no name.
    private static String holder(FileChannel channel) throws IOException {
        var pid = pidIn(channel);
        return !pid.isEmpty() && ProcessHandle.of(Long.parseLong(pid)).isPresent()
                ? "process " + pid
                : "another process";
    }

    private static String pidIn(FileChannel channel) throws IOException {
        var bytes = ByteBuffer.allocate(PID_BYTES_MAX);
        channel.read(bytes, 0);
        var text = new String(bytes.array(), 0, bytes.position(), StandardCharsets.US_ASCII);
        return text.length() < PID_BYTES_MAX && text.chars().allMatch(c -> c >= '0' && c <= '9') ? text : "";
    }

    private static StoreFailure inUse(Path directory, String holder) {
        return new StoreFailure("the store in " + directory + " is in use by " + holder + "; stop that first");
    }

    private static StoreFailure unusable(String what, Path directory, IOException cause) {
        var reason = cause instanceof AccessDeniedException ? "this user may not write there" : cause.getMessage();
        return new StoreFailure(
                "could not " + what + " the store's directory " + directory + ": " + reason
                        + "; make it writable, or configure another",
                cause);
    }

    private static void closeQuietly(FileChannel channel) {
        try {
            channel.close();
        } catch (IOException _) {
            // The system ends the lock all the same.
        }
    }

    @Override
    public void close() {
        channel.ifPresent(StoreLock::closeQuietly);
        HELD.remove(directory);
    }
}
