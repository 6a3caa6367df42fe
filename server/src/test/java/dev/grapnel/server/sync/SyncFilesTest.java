package dev.grapnel.server.sync;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Small files of sync.
final class SyncFilesTest {
    private final SyncThread loop = SyncThread.start(InstantSource.system(), System::nanoTime, SyncThread.Watcher.NONE);

    @AfterEach
    void close() {
        loop.close();
    }

    private static Optional<IOException> save(SyncFiles files, String name, byte... content) throws Exception {
        var done = new CompletableFuture<Optional<IOException>>();
        files.save(name, content, done::complete);
        return done.get(20, TimeUnit.SECONDS);
    }

    private static void keeps(SyncFiles files) throws Exception {
        assertEquals(Optional.empty(), files.load("health"));
        assertEquals(Optional.empty(), save(files, "health", (byte) 1, (byte) 2));
        assertEquals(Optional.empty(), save(files, "health", (byte) 3));
        assertArrayEquals(new byte[] {3}, files.load("health").orElseThrow());
    }

    @Test
    void lastContentIsKeptOnDisk(@TempDir Path directory) throws Exception {
        try (var files = new SyncFiles(Optional.of(directory), loop)) {
            keeps(files);
            assertThrows(IllegalArgumentException.class, () -> files.load("../health"));
            try (var names = Files.list(directory)) {
                assertEquals(1, names.count());
            }
        }
        try (var files = new SyncFiles(Optional.of(directory), loop)) {
            assertArrayEquals(new byte[] {3}, files.load("health").orElseThrow());
        }
    }

    @Test
    void lastContentIsKeptInMemory() throws Exception {
        try (var files = new SyncFiles(Optional.empty(), loop)) {
            keeps(files);
            assertEquals(Optional.empty(), files.directory());
        }
    }

    @Test
    void failureIsToldAndTheOldContentStays(@TempDir Path directory) throws Exception {
        try (var files = new SyncFiles(Optional.of(directory), loop)) {
            assertEquals(Optional.empty(), save(files, "health", (byte) 1));
            Files.createDirectory(directory.resolve("health.new"));
            assertTrue(save(files, "health", (byte) 2).isPresent());
            assertArrayEquals(new byte[] {1}, files.load("health").orElseThrow());
        }
    }

    /// Whoever waits for the outcome writes nothing more until it is told.
    @Test
    void errorIsToldToo() throws Exception {
        var exhausted =
                (Path) Proxy.newProxyInstance(Path.class.getClassLoader(), new Class<?>[] {Path.class}, (_, _, _) -> {
                    throw new OutOfMemoryError("as the test wants");
                });
        try (var files = new SyncFiles(Optional.of(exhausted), loop)) {
            assertTrue(save(files, "health", (byte) 1).isPresent());
        }
    }

    /// What a crash left behind is in nobody's way.
    @Test
    void halfWrittenFileIsWrittenOver(@TempDir Path directory) throws Exception {
        Files.writeString(directory.resolve("health.new"), "half of it, and longer than what comes");
        try (var files = new SyncFiles(Optional.of(directory), loop)) {
            assertEquals(Optional.empty(), files.load("health"));
            assertEquals(Optional.empty(), save(files, "health", (byte) 1));
            assertArrayEquals(new byte[] {1}, files.load("health").orElseThrow());
        }
    }

    @Test
    void whatWasGivenIsWrittenBeforeTheEnd(@TempDir Path directory) throws Exception {
        var files = new SyncFiles(Optional.of(directory), loop);
        files.save("health", new byte[] {7}, _ -> {});
        files.close();
        assertArrayEquals(new byte[] {7}, files.load("health").orElseThrow());
        assertTrue(save(files, "health", (byte) 8).isPresent());
    }
}
