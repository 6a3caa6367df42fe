package dev.grapnel.git.repository;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// Keeps a second program, or a second part of this one, from changing the same repositories.
public final class DirectoryLock implements AutoCloseable {
    /// Directories this process has locked. The system's lock is of no use among those who share a process:
    /// it is even lost when one of them merely opens and closes the file.
    private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

    private static final int PID_BYTES_MAX = 20;

    private final Path file;
    private final FileChannel channel;

    private DirectoryLock(Path file, FileChannel channel) {
        this.file = file;
        this.channel = channel;
    }

    /// Takes the directory of all repositories for the caller alone.
    ///
    /// @throws DirectoryInUse if somebody has it
    public static DirectoryLock take(Path gitData) throws IOException {
        return take(DataDirectory.at(gitData));
    }

    /// @throws DirectoryInUse if somebody has it
    static DirectoryLock take(DataDirectory data) throws IOException {
        var file = data.lock();
        if (!HELD.add(file)) {
            throw inUse(file, "this process already");
        }
        boolean taken = false;
        try {
            var channel = FileChannel.open(
                    file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
            try {
                lock(file, channel);
                taken = true;
                return new DirectoryLock(file, channel);
            } finally {
                if (!taken) {
                    channel.close();
                }
            }
        } finally {
            if (!taken) {
                HELD.remove(file);
            }
        }
    }

    private static void lock(Path file, FileChannel channel) throws IOException {
        if (channel.tryLock() == null) {
            throw inUse(file, holder(channel));
        }
        channel.truncate(0);
        var pid = Long.toString(ProcessHandle.current().pid());
        channel.write(ByteBuffer.wrap(pid.getBytes(StandardCharsets.US_ASCII)), 0);
    }

    private static String holder(FileChannel channel) throws IOException {
        var bytes = ByteBuffer.allocate(PID_BYTES_MAX);
        int length = Math.max(0, channel.read(bytes, 0));
        var text = new String(bytes.array(), 0, length, StandardCharsets.US_ASCII);
        return text.matches("[0-9]+") ? "process " + text : "another process";
    }

    private static DirectoryInUse inUse(Path file, String holder) {
        return new DirectoryInUse(file.resolve("../..").normalize(), holder);
    }

    @Override
    public void close() throws IOException {
        try {
            channel.close();
        } finally {
            HELD.remove(file);
        }
    }
}
