package dev.grapnel.store.lmdb;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.store.table.SnapshotEnded;
import dev.grapnel.store.table.StoreFailure;
import dev.grapnel.store.table.Table;
import dev.grapnel.store.table.TableSnapshot;
import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The file grows beyond whatever was reserved for it, without anybody noticing.
final class LmdbGrowthTest {
    private static final LmdbConfig SMALL =
            LmdbConfig.DEFAULTS.withMapBytes(1 << 20).withDurability(Durability.NONE);

    private static final LmdbConfig ROOMY = SMALL.withMapBytes(16 << 20);

    @TempDir
    Path directory;

    private static byte[] value(int number) {
        var value = new byte[10_000];
        Arrays.fill(value, (byte) number);
        return value;
    }

    private static void put(LmdbEngine engine, int from, int to) {
        try (var tables = engine.begin()) {
            for (int i = from; i < to; i++) {
                tables.put(Table.EVENTS, i, value(i));
            }
            tables.commit();
        }
    }

    @Test
    void fileGrowsWhileOldSnapshotsAndReadersGoOn() throws Exception {
        var stop = new AtomicBoolean();
        try (var engine = LmdbEngine.open(directory, SMALL);
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            put(engine, 0, 5);
            var reader = threads.submit((Callable<Integer>) () -> {
                int reads = 0;
                for (; !stop.get(); reads++) {
                    try (var snapshot = engine.pin()) {
                        int last = (int) snapshot.count(Table.EVENTS) - 1;
                        assertArrayEquals(value(last), snapshot.find(Table.EVENTS, last));
                        assertNull(snapshot.find(Table.EVENTS, last + 1));
                    }
                }
                return reads;
            });
            var pinned = new ArrayList<TableSnapshot>();
            for (int i = 5; i < 4_000; i += 15) {
                put(engine, i, i + 15);
                if (i % 100 == 5) {
                    pinned.add(engine.pin());
                }
            }
            stop.set(true);
            assertTrue(reader.get() > 0);
            for (int i = 0; i < pinned.size(); i++) {
                assertEquals(20 + i * 300L, pinned.get(i).count(Table.EVENTS));
                assertArrayEquals(value(19 + i * 300), pinned.get(i).find(Table.EVENTS, 19 + i * 300));
                assertNull(pinned.get(i).find(Table.EVENTS, 20 + i * 300));
                pinned.get(i).close();
            }
            assertEquals(List.of(), engine.checkPages());
            assertTrue(engine.stats().usedBytes() > 40 << 20);
        }
        try (var engine = LmdbEngine.open(directory, SMALL);
                var snapshot = engine.pin()) {
            assertArrayEquals(value(3_999), snapshot.find(Table.EVENTS, 3_999));
            put(engine, 4_010, 4_020);
        }
    }

    @Test
    void mapsThatNobodyReadsThroughAreGivenBack() {
        long before = mappedBytes();
        try (var engine = LmdbEngine.open(directory, SMALL)) {
            put(engine, 0, 10);
            try (var old = engine.pin()) {
                for (int i = 10; i < 2_000; i += 10) {
                    put(engine, i, i + 10);
                }
                assertTrue(mappedBytes() - before > engine.stats().fileBytes(), "one for the old snapshot");
                assertArrayEquals(value(9), old.find(Table.EVENTS, 9));
            }
            put(engine, 2_000, 2_001);
            put(engine, 2_001, 2_002);
            assertEquals(engine.stats().fileBytes(), mappedBytes() - before);
            engine.compact();
            put(engine, 2_002, 2_003);
            put(engine, 2_003, 2_004);
            assertEquals(engine.stats().fileBytes(), mappedBytes() - before);
        }
        assertEquals(before, mappedBytes());
    }

    @Test
    void mapOfSnapshotThatOutlivesItsStoreStays() {
        long before = mappedBytes();
        var engine = LmdbEngine.open(directory, SMALL);
        put(engine, 0, 10);
        var forgotten = engine.pin();
        engine.close();
        assertThrows(SnapshotEnded.class, () -> forgotten.find(Table.EVENTS, 1));
        assertTrue(mappedBytes() > before);
        assertThrows(IllegalStateException.class, engine::pin);
        engine.endForgotten();
        forgotten.close();
    }

    /// What this process has mapped, without LMDB's own map.
    private static long mappedBytes() {
        return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .filter(pool -> pool.getName().equals("mapped"))
                .mapToLong(BufferPoolMXBean::getTotalCapacity)
                .sum();
    }

    @Test
    void interruptedWriterLosesNothing() {
        try (var engine = LmdbEngine.open(directory, SMALL.withDurability(Durability.INTERVAL))) {
            for (int i = 0; i < 500; i += 10) {
                Thread.currentThread().interrupt();
                put(engine, i, i + 10);
                engine.flush();
                assertTrue(Thread.interrupted(), "it is still known that the thread was interrupted");
            }
            try (var snapshot = engine.pin()) {
                assertArrayEquals(value(499), snapshot.find(Table.EVENTS, 499));
            }
        }
    }

    @Test
    void transactionThatDoesNotFitSucceedsWhenRepeated() {
        try (var engine = LmdbEngine.open(directory, SMALL)) {
            put(engine, 0, 10);
            try (var before = engine.pin()) {
                int failures = 0;
                while (true) {
                    try {
                        put(engine, 10, 1_010);
                        break;
                    } catch (MapFull e) {
                        failures++;
                        try (var snapshot = engine.pin()) {
                            assertEquals(10, snapshot.count(Table.EVENTS), "nothing has changed");
                        }
                    }
                }
                assertTrue(failures > 0 && failures < 10, failures + " failures");
                assertEquals(10, before.count(Table.EVENTS));
                assertArrayEquals(value(3), before.find(Table.EVENTS, 3));
            }
            try (var snapshot = engine.pin()) {
                assertArrayEquals(value(1_009), snapshot.find(Table.EVENTS, 1_009));
            }
            assertEquals(List.of(), engine.checkPages());
        }
    }

    @Test
    void fileHasNoHoleAtItsEndAfterClosing() throws IOException {
        long used;
        try (var engine = LmdbEngine.open(directory, ROOMY)) {
            put(engine, 0, 300);
            var stats = engine.stats();
            used = stats.usedBytes() + stats.freePages() * 4096;
            assertTrue(stats.fileBytes() > used, "there is room to grow in");
            assertEquals(300, stats.of(Table.EVENTS).entries());
            assertTrue(stats.of(Table.EVENTS).bytes() > 300 * 10_000);
        }
        assertEquals(used, Files.size(directory.resolve(StoreFiles.DATA)));
    }

    @Test
    void copyIsWholeStoreWithoutFreePages(@TempDir Path target) throws IOException {
        var file = target.resolve("copy.mdb");
        try (var engine = LmdbEngine.open(directory, ROOMY)) {
            put(engine, 0, 50);
            put(engine, 50, 100);
            try (var tables = engine.begin()) {
                for (int i = 0; i < 50; i++) {
                    tables.remove(Table.EVENTS, i);
                    tables.add(Table.TAGS, new byte[] {(byte) (i % 3)}, i, i);
                }
                tables.commit();
            }
            put(engine, 100, 101);
            engine.copyTo(file);
            assertTrue(Files.size(file) < engine.stats().usedBytes());
            assertThrows(StoreFailure.class, () -> engine.copyTo(file), "what exists is not overwritten");
        }
        var copy = Files.createDirectory(target.resolve("store"));
        Files.move(file, copy.resolve(StoreFiles.DATA));
        try (var files = Files.list(target)) {
            assertEquals(List.of(copy), files.toList(), "nothing is left behind");
        }
        try (var engine = LmdbEngine.open(copy, ROOMY)) {
            assertEquals(List.of(), engine.checkPages());
            try (var snapshot = engine.pin()) {
                assertEquals(51, snapshot.count(Table.EVENTS));
                assertArrayEquals(value(77), snapshot.find(Table.EVENTS, 77));
                assertEquals(17, snapshot.postings(Table.TAGS, new byte[] {1}).size());
            }
            put(engine, 200, 210);
            assertEquals(List.of(), engine.checkPages());
        }
    }
}
