package dev.grapnel.store.lmdb;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.store.table.SnapshotEnded;
import dev.grapnel.store.table.Table;
import dev.grapnel.store.table.TableSnapshot;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// How long snapshots live, and what becomes of those that live too long.
final class LmdbSnapshotTest {
    private static final byte[] LIST = {1};

    @TempDir
    Path directory;

    private final AtomicLong nanos = new AtomicLong();

    private LmdbConfig config() {
        return LmdbConfig.DEFAULTS
                .withDurability(Durability.NONE)
                .withMapBytes(16 << 20)
                .withNanos(nanos::get);
    }

    private static void put(LmdbEngine engine, long number) {
        try (var tables = engine.begin()) {
            tables.put(Table.EVENTS, number, bytes(number));
            tables.add(Table.TIMES, LIST, number, number);
            tables.commit();
        }
    }

    private static byte[] bytes(long number) {
        return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
    }

    @Test
    void forgottenSnapshotIsEndedAndSaysSo() {
        try (var engine = LmdbEngine.open(directory, config())) {
            put(engine, 1);
            var forgotten = engine.pin();
            var postings = forgotten.postings(Table.TIMES, LIST);
            var rows = forgotten.rows(Table.EVENTS, new byte[0]);
            put(engine, 2);
            nanos.addAndGet(Duration.ofSeconds(9).toNanos());
            engine.endForgotten();
            assertArrayEquals(bytes(1), forgotten.find(Table.EVENTS, 1));
            nanos.addAndGet(Duration.ofSeconds(1).toNanos());
            engine.endForgotten();
            assertThrows(SnapshotEnded.class, () -> forgotten.find(Table.EVENTS, 1));
            assertThrows(SnapshotEnded.class, () -> forgotten.find(Table.EVENTS, 99));
            assertThrows(SnapshotEnded.class, () -> forgotten.postings(Table.TIMES, LIST));
            assertThrows(SnapshotEnded.class, () -> forgotten.count(Table.EVENTS));
            assertThrows(SnapshotEnded.class, postings::next);
            assertThrows(SnapshotEnded.class, rows::next);
            forgotten.close();
        }
    }

    @Test
    void newestCommitIsNeverForgotten() {
        try (var engine = LmdbEngine.open(directory, config())) {
            put(engine, 1);
            try (var snapshot = engine.pin()) {
                nanos.addAndGet(Duration.ofDays(1).toNanos());
                engine.endForgotten();
                assertArrayEquals(bytes(1), snapshot.find(Table.EVENTS, 1));
            }
        }
    }

    @Test
    void writerEndsForgottenSnapshotsItself() {
        try (var engine = LmdbEngine.open(directory, config())) {
            put(engine, 1);
            var forgotten = engine.pin();
            put(engine, 2);
            nanos.addAndGet(Duration.ofSeconds(11).toNanos());
            put(engine, 3);
            assertThrows(SnapshotEnded.class, () -> forgotten.find(Table.EVENTS, 1));
            forgotten.close();
        }
    }

    @Test
    void oldestSnapshotsEndWhenThereAreTooMany() {
        try (var engine = LmdbEngine.open(directory, config().withSnapshots(Duration.ofSeconds(10), 20))) {
            var pinned = new ArrayList<TableSnapshot>();
            for (int i = 0; i < 50; i++) {
                put(engine, i);
                pinned.add(engine.pin());
                assertArrayEquals(bytes(i), pinned.getLast().find(Table.EVENTS, i), "who writes can read it");
            }
            for (int i = 0; i < 50; i++) {
                int number = i;
                if (i < 30) {
                    assertThrows(SnapshotEnded.class, () -> pinned.get(number).find(Table.EVENTS, number));
                } else {
                    assertArrayEquals(bytes(i), pinned.get(i).find(Table.EVENTS, i));
                    assertNull(pinned.get(i).find(Table.EVENTS, i + 1));
                }
                pinned.get(i).close();
            }
        }
    }

    @Test
    void everySlotThatIsConfiguredCanBeUsed() {
        try (var engine = LmdbEngine.open(directory, config())) {
            var pinned = new ArrayList<TableSnapshot>();
            for (int i = 0; i < LmdbConfig.DEFAULTS.snapshotsMax(); i++) {
                put(engine, i);
                pinned.add(engine.pin());
            }
            assertArrayEquals(bytes(0), pinned.getFirst().find(Table.EVENTS, 0));
            put(engine, -1);
            assertThrows(SnapshotEnded.class, () -> pinned.getFirst().find(Table.EVENTS, 0));
            assertArrayEquals(bytes(1), pinned.get(1).find(Table.EVENTS, 1));
            pinned.forEach(TableSnapshot::close);
            put(engine, -2);
            try (var snapshot = engine.pin()) {
                assertArrayEquals(bytes(-2), snapshot.find(Table.EVENTS, -2));
            }
        }
    }

    @Test
    void pagesAreUsedAgainOnceNobodyReadsThem() {
        try (var engine = LmdbEngine.open(directory, config())) {
            for (int i = 0; i < 50; i++) {
                overwrite(engine, i);
            }
            long settled = engine.stats().usedBytes() + 4096 * engine.stats().freePages();
            try (var snapshot = engine.pin()) {
                for (int i = 0; i < 50; i++) {
                    overwrite(engine, i);
                }
                assertArrayEquals(new byte[100_000], Arrays.copyOf(snapshot.find(Table.EVENTS, 1), 100_000));
            }
            long held = engine.stats().usedBytes() + 4096 * engine.stats().freePages();
            assertTrue(held > settled + 50 * 100_000, "pages were kept: " + settled + ", " + held);
            for (int i = 0; i < 100; i++) {
                overwrite(engine, i);
            }
            assertEquals(
                    held, engine.stats().usedBytes() + 4096 * engine.stats().freePages(), "nothing was added");
        }
    }

    private static void overwrite(LmdbEngine engine, int i) {
        try (var tables = engine.begin()) {
            var value = new byte[100_001];
            value[100_000] = (byte) i;
            tables.put(Table.EVENTS, 1, value);
            tables.commit();
        }
    }

    /// The hard case: pages are overwritten while they are being read.
    @Test
    void endedSnapshotsNeverGiveWrongData() throws Exception {
        var config = config().withSnapshots(Duration.ofNanos(1), 3);
        var stop = new AtomicBoolean();
        try (var engine = LmdbEngine.open(directory, config);
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            fill(engine, 0);
            var readers = new ArrayList<Future<Integer>>();
            for (int i = 0; i < 3; i++) {
                readers.add(threads.submit((Callable<Integer>) () -> readUntil(engine, stop)));
            }
            for (int round = 1; round < 400; round++) {
                fill(engine, round);
                nanos.addAndGet(1000);
            }
            stop.set(true);
            int ended = 0;
            for (var reader : readers) {
                ended += reader.get();
            }
            assertTrue(ended > 0, "some snapshots were ended while they were read");
        }
    }

    private static void fill(LmdbEngine engine, int round) {
        try (var tables = engine.begin()) {
            for (int i = 0; i < 40; i++) {
                var value = new byte[i % 10 == 0 ? 9_000 : 700];
                Arrays.fill(value, (byte) round);
                tables.put(Table.EVENTS, i, value);
            }
            for (int i = 0; i < 600; i++) {
                tables.remove(Table.TIMES, LIST, i, round - 1);
                tables.add(Table.TIMES, LIST, i, round);
            }
            tables.commit();
        }
    }

    /// Reads rows and postings which all say the same round, if they are of one commit.
    private static int readUntil(LmdbEngine engine, AtomicBoolean stop) {
        int ended = 0;
        while (!stop.get()) {
            try (var snapshot = engine.pin()) {
                for (int times = 0; times < 20; times++) {
                    readOneRound(snapshot);
                }
            } catch (SnapshotEnded _) {
                ended++;
            }
        }
        return ended;
    }

    private static void readOneRound(TableSnapshot snapshot) {
        var postings = snapshot.postings(Table.TIMES, LIST);
        long round = postings.low();
        int count = 0;
        for (; !postings.isDone(); postings.next()) {
            assertEquals(round, postings.low());
            assertEquals(count++, postings.high());
        }
        assertEquals(600, count);
        int rows = 0;
        for (var cursor = snapshot.rows(Table.EVENTS, new byte[0]); cursor.next(); rows++) {
            assertArrayEquals(bytes(rows), cursor.key());
            for (byte b : cursor.value()) {
                assertEquals((byte) round, b);
            }
        }
        assertEquals(40, rows);
    }

    @Test
    void closedSnapshotsAndEnginesAreRefused() {
        var engine = LmdbEngine.open(directory, config());
        put(engine, 1);
        var snapshot = engine.pin();
        snapshot.close();
        snapshot.close();
        assertThrows(IllegalStateException.class, () -> snapshot.find(Table.EVENTS, 1));
        var late = engine.pin();
        engine.close();
        assertThrows(SnapshotEnded.class, () -> late.find(Table.EVENTS, 1));
        assertThrows(IllegalStateException.class, engine::pin);
        assertThrows(IllegalStateException.class, engine::begin);
        late.close();
        engine.close();
    }

    @Test
    void cursorsOfTransactionAreRefusedAfterChange() {
        try (var engine = LmdbEngine.open(directory, config())) {
            put(engine, 1);
            put(engine, 2);
            try (var tables = engine.begin()) {
                var rows = tables.rows(Table.EVENTS, new byte[0]);
                var postings = tables.postings(Table.TIMES, LIST);
                var lists = tables.lists(Table.TIMES, new byte[0]);
                assertTrue(rows.next());
                assertTrue(lists.next());
                tables.put(Table.EVENTS, 3, new byte[0]);
                assertThrows(IllegalStateException.class, rows::next);
                assertThrows(IllegalStateException.class, rows::value);
                assertThrows(IllegalStateException.class, postings::high);
                assertThrows(IllegalStateException.class, lists::next);
                assertThrows(IllegalStateException.class, engine::begin);
            }
        }
    }

    @Test
    void transactionsAreRefusedOnVirtualThreads() throws Exception {
        try (var engine = LmdbEngine.open(directory, config());
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var refusal = threads.submit(() -> assertThrows(IllegalStateException.class, engine::begin));
            assertTrue(String.valueOf(refusal.get().getMessage()).contains("virtual thread"));
        }
    }
}
