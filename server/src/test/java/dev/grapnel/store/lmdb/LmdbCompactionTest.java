package dev.grapnel.store.lmdb;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.store.table.StoreFailure;
import dev.grapnel.store.table.Table;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LmdbCompactionTest {
    private static final byte[] SECRET = "what was to be forgotten ".repeat(20).getBytes(StandardCharsets.US_ASCII);

    private static void fill(LmdbEngine engine) {
        try (var tables = engine.begin()) {
            for (int i = 1; i <= 2_000; i++) {
                tables.put(Table.EVENTS, i, i % 2 == 0 ? SECRET : new byte[300]);
                tables.add(Table.TIMES, new byte[] {0}, i, i);
            }
            tables.commit();
        }
        try (var tables = engine.begin()) {
            for (int i = 2; i <= 2_000; i += 2) {
                tables.remove(Table.EVENTS, i);
                tables.remove(Table.TIMES, new byte[] {0}, i, i);
            }
            tables.commit();
        }
    }

    private static boolean isWritten(Path directory) throws IOException {
        var bytes = new String(Files.readAllBytes(directory.resolve("data.mdb")), StandardCharsets.ISO_8859_1);
        return bytes.contains("what was to be forgotten");
    }

    @Test
    void removedBytesAreGoneAndEverythingElseIsThere(@TempDir Path directory) throws IOException {
        try (var engine = LmdbEngine.open(directory, LmdbConfig.DEFAULTS)) {
            fill(engine);
            assertTrue(isWritten(directory));
            engine.compact();
            assertFalse(isWritten(directory));
            try (var snapshot = engine.pin()) {
                assertEquals(1_000, snapshot.count(Table.EVENTS));
                assertArrayEquals(new byte[300], snapshot.find(Table.EVENTS, 1));
                assertNull(snapshot.find(Table.EVENTS, 2));
            }
            assertEquals(List.of(), engine.checkPages());
            try (var tables = engine.begin()) {
                tables.put(Table.EVENTS, 3_000, new byte[10]);
                tables.commit();
            }
        }
        try (var engine = LmdbEngine.open(directory, LmdbConfig.DEFAULTS);
                var snapshot = engine.pin()) {
            assertEquals(1_001, snapshot.count(Table.EVENTS));
            assertEquals(List.of(), engine.checkPages());
        }
    }

    @Test
    void whoReadsTheNewestCommitGoesOnReading(@TempDir Path directory) {
        try (var engine = LmdbEngine.open(directory, LmdbConfig.DEFAULTS)) {
            fill(engine);
            try (var snapshot = engine.pin()) {
                var postings = snapshot.postings(Table.TIMES, new byte[] {0});
                engine.compact();
                for (int i = 0; i < 50; i++) {
                    try (var tables = engine.begin()) {
                        tables.put(Table.EVENTS, 10_000 + i, SECRET);
                        tables.commit();
                    }
                }
                int count = 0;
                for (; !postings.isDone(); postings.next()) {
                    count++;
                }
                assertEquals(1_000, count);
                assertEquals(1_000, snapshot.count(Table.EVENTS));
            }
            try (var snapshot = engine.pin()) {
                assertEquals(1_050, snapshot.count(Table.EVENTS));
            }
        }
    }

    @Test
    void whatAKillLeftOfACopyIsRemoved(@TempDir Path directory) throws IOException {
        Files.writeString(directory.resolve("data.mdb.compact"), "half of a copy");
        var partial = Files.createDirectory(directory.resolve("grapnel-copy123"));
        Files.writeString(partial.resolve("data.mdb"), "a quarter of a copy");
        try (var engine = LmdbEngine.open(directory, LmdbConfig.DEFAULTS)) {
            assertFalse(Files.exists(directory.resolve("data.mdb.compact")));
            assertFalse(Files.exists(partial));
            fill(engine);
            engine.compact();
        }
        try (var files = Files.list(directory)) {
            assertEquals(
                    List.of("data.mdb", "grapnel.lock", "lock.mdb"),
                    files.map(file -> file.getFileName().toString()).sorted().toList());
        }
    }

    @Test
    void somebodyElsesFilesDoNotKeepAStoreFromOpening(@TempDir Path directory) throws IOException {
        var full = Files.createDirectory(directory.resolve("grapnel-copy1"));
        Files.writeString(full.resolve("other"), "mine");
        Files.writeString(directory.resolve("grapnel-copy.txt"), "mine");
        LmdbEngine.open(directory, LmdbConfig.DEFAULTS).close();
        assertTrue(Files.exists(full.resolve("other")));
        assertTrue(Files.exists(directory.resolve("grapnel-copy.txt")));
    }

    @Test
    void aStoreMayBeCompactedAgainAndAgain(@TempDir Path directory) {
        try (var engine = LmdbEngine.open(directory, LmdbConfig.DEFAULTS)) {
            for (int i = 0; i < 5; i++) {
                engine.compact();
                try (var tables = engine.begin()) {
                    tables.put(Table.EVENTS, i, new byte[10]);
                    tables.commit();
                }
            }
            try (var snapshot = engine.pin()) {
                assertEquals(5, snapshot.count(Table.EVENTS));
            }
        }
    }

    @Test
    void fileBehindALinkIsNotReplaced(@TempDir Path directory) throws IOException {
        var store = Files.createDirectory(directory.resolve("store"));
        LmdbEngine.open(store, LmdbConfig.DEFAULTS).close();
        var elsewhere = Files.move(store.resolve("data.mdb"), directory.resolve("elsewhere.mdb"));
        var link = Files.createSymbolicLink(store.resolve("data.mdb"), elsewhere);
        try (var engine = LmdbEngine.open(store, LmdbConfig.DEFAULTS)) {
            fill(engine);
            var failure = assertThrows(StoreFailure.class, engine::compact);
            assertEquals(
                    "could not compact the store in " + store + ": " + link
                            + " is a link; move the file here, and make the directory a link instead",
                    failure.getMessage());
        }
        assertTrue(Files.isSymbolicLink(link));
        try (var engine = LmdbEngine.open(store, LmdbConfig.DEFAULTS);
                var snapshot = engine.pin()) {
            assertEquals(1_000, snapshot.count(Table.EVENTS));
        }
    }

    /// It opened the file again, behind the back of whoever had it next.
    @Test
    void closedStoreIsNotCopied(@TempDir Path directory) throws IOException {
        var copy = directory.resolve("copy");
        var engine = LmdbEngine.open(directory, LmdbConfig.DEFAULTS);
        engine.close();
        Files.delete(directory.resolve("lock.mdb"));
        assertThrows(IllegalStateException.class, () -> engine.copyTo(copy));
        assertThrows(IllegalStateException.class, engine::compact);
        try (var files = Files.list(directory)) {
            assertEquals(
                    List.of("data.mdb", "grapnel.lock"),
                    files.map(file -> file.getFileName().toString()).sorted().toList());
        }
    }

    @Test
    void copyingWhileAnotherClosesEitherSucceedsOrIsRefused(@TempDir Path directory) throws Exception {
        for (int i = 0; i < 50; i++) {
            var copy = directory.resolve("copy" + i);
            var engine = LmdbEngine.open(directory, LmdbConfig.DEFAULTS.withDurability(Durability.NONE));
            var copied = CompletableFuture.supplyAsync(
                    () -> {
                        try {
                            engine.copyTo(copy);
                            return true;
                        } catch (IllegalStateException | StoreFailure _) {
                            return false;
                        }
                    },
                    command -> Thread.ofPlatform().start(command));
            engine.close();
            assertEquals(copied.join(), Files.exists(copy));
        }
    }

    /// A copy that began between closing the old file and opening the new one opened the old one again: what
    /// was written next was lost, or the process crashed.
    @Test
    void copiesMadeMeanwhileTakeNothingAway(@TempDir Path directory) throws Exception {
        var copies = Files.createDirectory(directory.resolve("copies"));
        try (var engine = LmdbEngine.open(directory, LmdbConfig.DEFAULTS.withDurability(Durability.NONE))) {
            fill(engine);
            var over = new AtomicBoolean();
            var copied = CompletableFuture.runAsync(
                    () -> {
                        for (int i = 0; !over.get(); i++) {
                            engine.copyTo(copies.resolve("copy" + i));
                        }
                    },
                    command -> Thread.ofPlatform().start(command));
            for (int i = 0; i < 40; i++) {
                try (var tables = engine.begin()) {
                    tables.put(Table.EVENTS, 10_000 + i, new byte[10]);
                    tables.commit();
                }
                engine.compact();
            }
            over.set(true);
            copied.join();
        }
        try (var engine = LmdbEngine.open(directory, LmdbConfig.DEFAULTS);
                var snapshot = engine.pin()) {
            assertEquals(1_040, snapshot.count(Table.EVENTS));
            assertEquals(List.of(), engine.checkPages());
        }
    }
}
