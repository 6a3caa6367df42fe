package dev.grapnel.server.sync;

import dev.grapnel.sync.world.Scheduler;
import dev.grapnel.sync.world.SnapshotFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// Small files of sync in a directory of their own (R8.5), or in memory, when everything is. One thread writes, one
/// file after the other, each under another name until it is whole and on the disk.
public final class SyncFiles implements SnapshotFiles, AutoCloseable {
    private static final String FRESH = ".new";
    private static final Duration FAREWELL_MAX = Duration.ofSeconds(2);

    /// Larger than any snapshot: what is larger is none.
    private static final long BYTES_MAX = 1L << 30;

    private final Optional<Path> directory;
    private final Scheduler loop;
    private final Map<String, byte[]> memory = new ConcurrentHashMap<>();
    private final ExecutorService writer = Executors.newSingleThreadExecutor(
            Thread.ofPlatform().name("sync-files").daemon().factory());

    /// @param directory that is there; without one, files go with the process
    SyncFiles(Optional<Path> directory, Scheduler loop) {
        this.directory = directory;
        this.loop = loop;
    }

    /// Where tables that can be made again may lie; empty if nothing is to be on a disk.
    public Optional<Path> directory() {
        return directory;
    }

    @Override
    public Optional<byte[]> load(String name) throws IOException {
        if (directory.isEmpty()) {
            return Optional.ofNullable(memory.get(name)).map(byte[]::clone);
        }
        var file = file(directory.get(), name);
        try {
            if (Files.size(file) > Math.min(BYTES_MAX, Runtime.getRuntime().maxMemory() / 4)) {
                throw new IOException(file + " is too large");
            }
            return Optional.of(Files.readAllBytes(file));
        } catch (NoSuchFileException _) {
            return Optional.empty();
        }
    }

    @Override
    public void save(String name, byte[] content, Consumer<Optional<IOException>> done) {
        var whole = content.clone();
        try {
            writer.execute(() -> {
                var outcome = write(name, whole);
                loop.post(() -> done.accept(outcome));
            });
        } catch (RejectedExecutionException e) {
            loop.post(() -> done.accept(Optional.of(new IOException("the server stops", e))));
        }
    }

    private Optional<IOException> write(String name, byte[] content) {
        try {
            if (directory.isPresent()) {
                replace(directory.get(), name, content);
            } else {
                memory.put(name, content);
            }
            return Optional.empty();
        } catch (IOException e) {
            return Optional.of(e);
        } catch (RuntimeException | Error e) { // whoever waits for the outcome must hear of one
            return Optional.of(new IOException(e));
        }
    }

    private static void replace(Path directory, String name, byte[] content) throws IOException {
        var file = file(directory, name);
        var fresh = file(directory, name + FRESH);
        try (var channel = FileChannel.open(
                fresh, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            var bytes = ByteBuffer.wrap(content);
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        }
        Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
        try (var channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    private static Path file(Path directory, String name) {
        if (!name.matches("[a-z0-9][a-z0-9.-]*")) {
            throw new IllegalArgumentException("not the name of a file of ours: " + name);
        }
        return directory.resolve(name);
    }

    /// Waits for what was given to be written.
    @Override
    public void close() {
        writer.shutdown();
        try {
            var _ = writer.awaitTermination(FAREWELL_MAX.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt(); // then a file stays as it was
        }
    }
}
