package dev.grapnel.store.lmdb;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.store.table.Postings;
import dev.grapnel.store.table.ReadTables;
import dev.grapnel.store.table.StoreDamage;
import dev.grapnel.store.table.StoreFailure;
import dev.grapnel.store.table.Table;
import dev.grapnel.store.table.WriteTables;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.zip.CRC32C;

/// A small store with all kinds of pages, damaged in one place each time, then read and written to. Rows and
/// postings prove themselves, as those of the real store do, because LMDB cannot tell a changed value from a
/// right one.
///
/// Run it as a program for as many as you like: directory, number, first seed.
final class DamagedStore {
    private static final LmdbConfig CONFIG =
            LmdbConfig.DEFAULTS.withMapBytes(8 << 20).withDurability(Durability.NONE);
    private static final List<Table> ROWS = List.of(Table.EVENTS, Table.TOMBSTONES);
    private static final List<Table> LISTS = List.of(Table.TAGS, Table.TIMES, Table.IDS);
    private static final int PAGE = 4096;

    enum Outcome {
        REFUSED,
        DAMAGE_FOUND,
        /// Only what the rows and postings say about themselves shows it.
        CONTENT_CHANGED,
        NOTHING_FOUND
    }

    private final Path directory;
    private final byte[] sound;
    private final Map<Table, List<byte[]>> keys = new EnumMap<>(Table.class);
    /// Sizes of lists, by table and key.
    private final Map<String, Integer> sizes = new HashMap<>();

    DamagedStore(Path directory, long seed) throws IOException {
        this.directory = directory;
        var random = new Random(seed);
        try (var engine = LmdbEngine.open(directory, CONFIG)) {
            for (int round = 0; round < 4; round++) {
                try (var tables = engine.begin()) {
                    fill(tables, random, round);
                    tables.commit();
                }
            }
            try (var snapshot = engine.pin()) {
                remember(snapshot);
            }
        }
        this.sound = Files.readAllBytes(data());
    }

    public static void main(String[] arguments) throws IOException {
        var directory = Files.createDirectories(Path.of(arguments[0]));
        long first = Long.parseLong(arguments[2]);
        var store = new DamagedStore(directory, first);
        var outcomes = new EnumMap<Outcome, Integer>(Outcome.class);
        for (long seed = first; seed < first + Long.parseLong(arguments[1]); seed++) {
            outcomes.merge(store.damage(seed), 1, Integer::sum);
        }
        System.out.println(outcomes);
    }

    private Path data() {
        return directory.resolve(StoreFiles.DATA);
    }

    int bytes() {
        return sound.length;
    }

    private static void fill(WriteTables tables, Random random, int round) {
        for (int i = 0; i < 30; i++) {
            var key = key(round * 100L + i);
            tables.put(Table.EVENTS, round * 100L + i, proven(key, random, i % 10 == 0 ? 6_000 : 300));
            var name = new byte[random.nextInt(1, 60)];
            random.nextBytes(name);
            tables.put(Table.TOMBSTONES, name, proven(name, random, i % 12 == 0 ? 0 : 40));
            add(tables, Table.IDS, key(random.nextLong()), i);
            for (int j = 0; j < i; j++) {
                add(tables, Table.TAGS, key(i), random.nextInt(10_000));
            }
        }
        for (int i = 0; i < 400; i++) {
            add(tables, Table.TIMES, new byte[] {7}, random.nextInt(1_000_000));
        }
        for (int i = 0; i < 10; i++) {
            tables.remove(Table.EVENTS, Math.max(0, round - 1) * 100L + random.nextInt(30));
        }
    }

    private static byte[] key(long number) {
        return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
    }

    private static byte[] proven(byte[] key, Random random, int bytes) {
        var payload = new byte[bytes];
        random.nextBytes(payload);
        return ByteBuffer.allocate(4 + bytes)
                .putInt(sum(key, payload))
                .put(payload)
                .array();
    }

    private static int sum(byte[] key, byte[] payload) {
        var sum = new CRC32C();
        sum.update(key);
        sum.update(payload);
        return (int) sum.getValue();
    }

    private static void add(WriteTables tables, Table table, byte[] key, long high) {
        tables.add(table, key, high, sum(key, key(high)));
    }

    private void remember(ReadTables tables) {
        for (var table : ROWS) {
            var found = new ArrayList<byte[]>();
            for (var cursor = tables.rows(table, new byte[0]); cursor.next(); ) {
                found.add(cursor.key());
            }
            keys.put(table, found);
        }
        for (var table : LISTS) {
            var found = new ArrayList<byte[]>();
            for (var cursor = tables.lists(table, new byte[0]); cursor.next(); ) {
                found.add(cursor.key());
                sizes.put(table + Arrays.toString(cursor.key()), (int)
                        cursor.postings().size());
            }
            keys.put(table, found);
        }
    }

    /// Damages a fresh copy and does all there is to do with it.
    Outcome damage(long seed) throws IOException {
        var bytes = damaged(new Random(seed));
        Files.write(data(), bytes);
        var where = "seed " + seed;
        try (var engine = LmdbEngine.open(directory, CONFIG)) {
            var reading = read(engine);
            var problems = engine.checkPages();
            boolean isWritten = write(engine);
            assertEquals(problems.isEmpty(), isWritten, where + ": " + problems);
            if (isWritten) {
                assertEquals(List.of(), engine.checkPages(), where);
                assertEquals(reading, read(engine), where);
            } else if (problems.isEmpty() || reading.isDamaged) {
                assertTrue(!problems.isEmpty(), where);
            }
            if (!problems.isEmpty()) {
                return Outcome.DAMAGE_FOUND;
            }
            assertTrue(!reading.isDamaged, where + ": reading found what checking did not");
            assertTrue(reading.missing == 0 || reading.isContentChanged, where + ": something is missing unnoticed");
            return reading.isContentChanged ? Outcome.CONTENT_CHANGED : Outcome.NOTHING_FOUND;
        } catch (StoreFailure e) {
            assertTrue(String.valueOf(e.getMessage()).contains(directory.toString()), where + ": " + e);
            return Outcome.REFUSED;
        }
    }

    private byte[] damaged(Random random) {
        var bytes = sound.clone();
        int pages = bytes.length / PAGE;
        int page = random.nextInt(pages) * PAGE;
        switch (random.nextInt(12)) {
            case 0 -> Arrays.fill(bytes, page, page + PAGE, (byte) 0);
            case 1 -> System.arraycopy(sound, random.nextInt(pages) * PAGE, bytes, page, PAGE);
            case 2 -> {
                return Arrays.copyOf(bytes, random.nextInt(bytes.length));
            }
            case 3, 4, 5 -> bytes[page + random.nextInt(64)] ^= (byte) (1 << random.nextInt(8));
            case 6, 7 -> bytes[page + PAGE - 1 - random.nextInt(200)] ^= (byte) (1 << random.nextInt(8));
            case 8 -> bytes[random.nextInt(2) * PAGE + random.nextInt(160)] = (byte) random.nextInt();
            case 9 -> bytes[page + random.nextInt(PAGE)] = (byte) random.nextInt();
            default -> bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
        }
        return bytes;
    }

    private boolean write(LmdbEngine engine) {
        try (var tables = engine.begin()) {
            for (int i = 0; i < 200; i++) {
                add(tables, Table.ADDRESSES, key(i % 20), i);
                tables.put(Table.GATES, i, new byte[i * 20]);
            }
            for (var key : keys.getOrDefault(Table.EVENTS, List.of())) {
                var value = tables.find(Table.EVENTS, key);
                if (value != null) {
                    tables.remove(Table.EVENTS, key);
                    tables.put(Table.EVENTS, key, value);
                }
            }
            for (var key : keys.getOrDefault(Table.TAGS, List.of())) {
                tables.add(Table.TAGS, key, -1, 0);
                tables.remove(Table.TAGS, key, -1, 0);
            }
            tables.commit();
            return true;
        } catch (StoreFailure e) {
            assertTrue(String.valueOf(e.getMessage()).startsWith("the store is damaged: "), e.toString());
            return false;
        }
    }

    /// What reading everything came to.
    private record Reading(boolean isDamaged, boolean isContentChanged, int missing) {}

    private Reading read(LmdbEngine engine) {
        boolean isDamaged = false;
        boolean isChanged = false;
        int missing = 0;
        try (var snapshot = engine.pin()) {
            for (var table : ROWS) {
                for (var step : List.<Step>of(this::scan, this::findAll)) {
                    try {
                        int result = step.look(snapshot, table);
                        isChanged |= result < 0;
                        missing += Math.max(0, result);
                    } catch (StoreDamage _) {
                        isDamaged = true;
                    }
                }
            }
            for (var table : LISTS) {
                for (var step : List.<Step>of(this::scanLists, this::seekAll)) {
                    try {
                        int result = step.look(snapshot, table);
                        isChanged |= result < 0;
                        missing += Math.max(0, result);
                    } catch (StoreDamage _) {
                        isDamaged = true;
                    }
                }
            }
        }
        return new Reading(isDamaged, isChanged, missing);
    }

    /// Below zero if content is not what it was, else how much is missing.
    private interface Step {
        int look(ReadTables tables, Table table);
    }

    private int scan(ReadTables tables, Table table) {
        int missing = keys.getOrDefault(table, List.of()).size();
        for (var cursor = tables.rows(table, new byte[0]); cursor.next(); missing--) {
            if (!isProven(cursor.key(), cursor.value())) {
                return -1;
            }
        }
        return missing;
    }

    private int findAll(ReadTables tables, Table table) {
        int missing = 0;
        for (var key : keys.getOrDefault(table, List.of())) {
            var value = tables.find(table, key);
            if (value == null) {
                missing++;
            } else if (!isProven(key, value)) {
                return -1;
            }
        }
        return missing;
    }

    private static boolean isProven(byte[] key, byte[] value) {
        return value.length >= 4
                && ByteBuffer.wrap(value).getInt() == sum(key, Arrays.copyOfRange(value, 4, value.length));
    }

    private int scanLists(ReadTables tables, Table table) {
        int missing = keys.getOrDefault(table, List.of()).size();
        for (var cursor = tables.lists(table, new byte[0]); cursor.next(); missing--) {
            var key = cursor.key();
            var postings = cursor.postings();
            int count = 0;
            for (; !postings.isDone(); postings.next()) {
                if (postings.low() != sum(key, key(postings.high()))) {
                    return -1;
                }
                count++;
            }
            missing += Math.abs(sizes.getOrDefault(table + Arrays.toString(key), 0) - count);
        }
        return missing;
    }

    private int seekAll(ReadTables tables, Table table) {
        int missing = 0;
        for (var key : keys.getOrDefault(table, List.of())) {
            var found = new TreeSet<Long>();
            for (int step : new int[] {3_000, 77_777}) {
                Postings postings = tables.postings(table, key);
                while (!postings.isDone()) {
                    if (postings.low() != sum(key, key(postings.high()))) {
                        return -1;
                    }
                    found.add(postings.high());
                    postings.seek(postings.high() + step, 0);
                }
            }
            missing += found.isEmpty() ? 1 : 0;
        }
        return missing;
    }

    /// The store as it was made.
    void requireSound() throws IOException {
        Files.write(data(), sound);
        try (var engine = LmdbEngine.open(directory, CONFIG)) {
            assertEquals(new Reading(false, false, 0), read(engine));
            assertEquals(List.of(), engine.checkPages());
        }
        assertArrayEquals(sound, Files.readAllBytes(data()), "reading changes nothing");
    }
}
