package dev.grapnel.store.lmdb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.store.table.Table;
import dev.grapnel.store.table.TableSnapshot;
import dev.grapnel.store.table.WriteTables;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The engine does what a plain map would do, whoever looks and whatever happened before.
final class LmdbModelTest {
    private static final List<Table> ROWS = List.of(Table.TOMBSTONES, Table.REQUESTS);
    private static final List<Table> NUMBERED = List.of(Table.EVENTS, Table.NUMBERS);
    private static final List<Table> LISTS = List.of(Table.TAGS, Table.KINDS, Table.IDS);
    private static final LmdbConfig CONFIG =
            LmdbConfig.DEFAULTS.withMapBytes(16 << 20).withDurability(Durability.NONE);

    @TempDir
    Path directory;

    private long lastNumber = 1000;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void tablesAreWhatModelSays(long seed) {
        var random = new Random(seed);
        var model = new TableModel();
        var engine = LmdbEngine.open(directory, CONFIG);
        try {
            for (int round = 0; round < 40; round++) {
                var where = "seed " + seed + " round " + round;
                var before = model.copy();
                var changed = model.copy();
                try (var pinned = engine.pin()) {
                    if (transact(engine, changed, random, where)) {
                        model = changed;
                    }
                    before.requireSameAtRandom(pinned, random, 10, where + " pinned");
                }
                try (var now = engine.pin()) {
                    model.requireSame(now, where);
                    model.requireSameAtRandom(now, random, 30, where);
                }
                assertEquals(List.of(), engine.checkPages(), where);
                if (random.nextInt(8) == 0) {
                    engine.close();
                    engine = LmdbEngine.open(directory, CONFIG);
                }
            }
        } finally {
            engine.close();
        }
    }

    private boolean transact(LmdbEngine engine, TableModel model, Random random, String where) {
        try (var tables = engine.begin()) {
            int changes = random.nextInt(1, 400);
            for (int i = 0; i < changes; i++) {
                change(tables, model, random);
                if (random.nextInt(200) == 0) {
                    model.requireSameAtRandom(tables, random, 3, where + " while writing");
                }
            }
            model.requireSame(tables, where + " before commit");
            if (random.nextInt(5) == 0) {
                return false;
            }
            tables.commit();
            return true;
        }
    }

    private void change(WriteTables tables, TableModel model, Random random) {
        int what = random.nextInt(100);
        if (what < 25) {
            changeRow(tables, model, ROWS.get(random.nextInt(ROWS.size())), random);
        } else if (what < 45) {
            changeNumbered(tables, model, NUMBERED.get(random.nextInt(NUMBERED.size())), random);
        } else {
            changeList(tables, model, LISTS.get(random.nextInt(LISTS.size())), random);
        }
    }

    private static void changeRow(WriteTables tables, TableModel model, Table table, Random random) {
        var map = model.rowsOf(table);
        var key = bytes(random, random.nextInt(10) == 0 ? random.nextInt(1, 512) : random.nextInt(1, 4));
        if (random.nextInt(3) == 0) {
            var near = map.ceilingKey(key);
            key = near == null ? key : near;
            assertEquals(map.remove(key) != null, tables.remove(table, key));
        } else {
            var value = value(random);
            map.put(key, value);
            tables.put(table, key, value);
        }
    }

    private void changeNumbered(WriteTables tables, TableModel model, Table table, Random random) {
        var map = model.rowsOf(table);
        long number = random.nextInt(4) == 0 ? random.nextLong(lastNumber) : ++lastNumber;
        var key = ByteBuffer.allocate(8).putLong(number).array();
        if (random.nextInt(5) == 0) {
            var near = map.ceilingKey(key);
            key = near == null ? key : near;
            assertEquals(
                    map.remove(key) != null,
                    tables.remove(table, ByteBuffer.wrap(key).getLong()));
        } else {
            var value = value(random);
            map.put(key, value);
            tables.put(table, number, value);
        }
    }

    private static void changeList(WriteTables tables, TableModel model, Table table, Random random) {
        var key = bytes(random, random.nextInt(20) == 0 ? random.nextInt(1, 512) : 1);
        if (random.nextInt(3) > 0) {
            key[0] &= 7;
        }
        int many = random.nextInt(20) == 0 ? random.nextInt(2000) : random.nextInt(1, 8);
        long base = random.nextInt(1000);
        for (int i = 0; i < many; i++) {
            long high = random.nextInt(50) == 0 ? random.nextLong() : base + random.nextInt(500);
            long low = random.nextInt(4);
            if (random.nextInt(4) == 0) {
                assertEquals(model.remove(table, key, high, low), tables.remove(table, key, high, low));
            } else {
                assertEquals(model.add(table, key, high, low), tables.add(table, key, high, low));
            }
        }
    }

    private static byte[] value(Random random) {
        return bytes(
                random,
                switch (random.nextInt(40)) {
                    case 0 -> 0;
                    case 1 -> random.nextInt(300_000);
                    case 2, 3, 4 -> random.nextInt(1_500, 9_000);
                    default -> random.nextInt(600);
                });
    }

    private static byte[] bytes(Random random, int length) {
        var bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    @Test
    void longListsAreReadAndSoughtInEverywhere() {
        var random = new Random(7);
        var model = new TableModel();
        var key = new byte[] {1};
        try (var engine = LmdbEngine.open(directory, CONFIG)) {
            try (var tables = engine.begin()) {
                for (int i = 0; i < 100_000; i++) {
                    long high = random.nextInt(300_000);
                    assertEquals(model.add(Table.TIMES, key, high, i), tables.add(Table.TIMES, key, high, i));
                }
                model.requireSame(tables, "before commit");
                model.requireSameAtRandom(tables, random, 20, "before commit");
                tables.commit();
            }
            assertEquals(List.of(), engine.checkPages());
            try (var snapshot = engine.pin()) {
                model.requireSame(snapshot, "after commit");
                model.requireSameAtRandom(snapshot, random, 200, "after commit");
            }
            shrinkToNothing(engine, model, key, random);
        }
    }

    private static void shrinkToNothing(LmdbEngine engine, TableModel model, byte[] key, Random random) {
        while (model.listsOf(Table.TIMES).containsKey(key)) {
            try (var tables = engine.begin()) {
                for (var posting : List.copyOf(model.listsOf(Table.TIMES).get(key))) {
                    if (random.nextInt(3) > 0) {
                        model.remove(Table.TIMES, key, posting.high(), posting.low());
                        assertTrue(tables.remove(Table.TIMES, key, posting.high(), posting.low()));
                    }
                }
                tables.commit();
            }
            assertEquals(List.of(), engine.checkPages());
            try (var snapshot = engine.pin()) {
                model.requireSame(snapshot, "while shrinking");
                model.requireSameAtRandom(snapshot, random, 20, "while shrinking");
            }
        }
    }

    @Test
    void snapshotsStayAsTheyWereWhileWriterGoesOn() {
        var random = new Random(3);
        var model = new TableModel();
        var pinned = new ArrayList<TableSnapshot>();
        var models = new ArrayList<TableModel>();
        try (var engine = LmdbEngine.open(directory, CONFIG)) {
            for (int round = 0; round < 60; round++) {
                try (var tables = engine.begin()) {
                    for (int i = 0; i < 100; i++) {
                        change(tables, model, random);
                    }
                    tables.commit();
                }
                pinned.add(engine.pin());
                models.add(model.copy());
                if (pinned.size() > 8) {
                    int which = random.nextInt(pinned.size());
                    models.remove(which).requireSame(pinned.get(which), "round " + round);
                    pinned.remove(which).close();
                }
            }
            for (int i = 0; i < pinned.size(); i++) {
                models.get(i).requireSame(pinned.get(i), "at the end");
                pinned.get(i).close();
            }
        }
    }

    @Test
    void closingTransactionWithoutCommitUndoesIt() {
        try (var engine = LmdbEngine.open(directory, CONFIG)) {
            try (var tables = engine.begin()) {
                tables.put(Table.EVENTS, 1, new byte[] {1});
                tables.add(Table.TAGS, new byte[] {1}, 1, 1);
            }
            try (var tables = engine.begin();
                    var snapshot = engine.pin()) {
                assertEquals(0, tables.count(Table.EVENTS));
                assertFalse(snapshot.rows(Table.EVENTS, new byte[0]).next());
                assertTrue(snapshot.postings(Table.TAGS, new byte[] {1}).isDone());
            }
        }
    }
}
