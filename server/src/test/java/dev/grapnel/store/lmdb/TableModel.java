package dev.grapnel.store.lmdb;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.store.table.Postings;
import dev.grapnel.store.table.ReadTables;
import dev.grapnel.store.table.Table;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.random.RandomGenerator;

/// What tables should contain, kept in the plainest way; compares itself with anything that can be read.
final class TableModel {
    private static final Comparator<Posting> ORDER =
            (a, b) -> a.high == b.high ? Long.compareUnsigned(a.low, b.low) : Long.compareUnsigned(a.high, b.high);

    record Posting(long high, long low) {}

    final Map<Table, NavigableMap<byte[], byte[]>> rows = new EnumMap<>(Table.class);
    final Map<Table, NavigableMap<byte[], NavigableSet<Posting>>> lists = new EnumMap<>(Table.class);

    NavigableMap<byte[], byte[]> rowsOf(Table table) {
        return rows.computeIfAbsent(table, _ -> new TreeMap<>(Arrays::compareUnsigned));
    }

    NavigableMap<byte[], NavigableSet<Posting>> listsOf(Table table) {
        return lists.computeIfAbsent(table, _ -> new TreeMap<>(Arrays::compareUnsigned));
    }

    boolean add(Table table, byte[] key, long high, long low) {
        return listsOf(table).computeIfAbsent(key, _ -> new TreeSet<>(ORDER)).add(new Posting(high, low));
    }

    boolean remove(Table table, byte[] key, long high, long low) {
        var list = listsOf(table).get(key);
        boolean removed = list != null && list.remove(new Posting(high, low));
        if (list != null && list.isEmpty()) {
            listsOf(table).remove(key);
        }
        return removed;
    }

    TableModel copy() {
        var copy = new TableModel();
        rows.forEach((table, map) -> copy.rowsOf(table).putAll(map));
        lists.forEach(
                (table, map) -> map.forEach((key, list) -> copy.listsOf(table).put(key, new TreeSet<>(list))));
        return copy;
    }

    /// Everything, one after another.
    void requireSame(ReadTables tables, String where) {
        rows.forEach((table, map) -> requireRows(tables, table, map, new byte[0], where));
        lists.forEach((table, map) -> requireLists(tables, table, map, new byte[0], where));
    }

    private static void requireRows(
            ReadTables tables, Table table, Map<byte[], byte[]> expected, byte[] from, String where) {
        var cursor = tables.rows(table, from);
        expected.forEach((key, value) -> {
            assertTrue(cursor.next(), where);
            assertArrayEquals(key, cursor.key(), where);
            assertArrayEquals(value, cursor.value(), where);
        });
        assertFalse(cursor.next(), where);
        if (from.length == 0) {
            assertEquals(expected.size(), tables.count(table), where);
        }
    }

    private static void requireLists(
            ReadTables tables, Table table, Map<byte[], NavigableSet<Posting>> expected, byte[] from, String where) {
        var cursor = tables.lists(table, from);
        long count = 0;
        for (var entry : expected.entrySet()) {
            assertTrue(cursor.next(), where);
            assertArrayEquals(entry.getKey(), cursor.key(), where);
            requireList(cursor.postings(), entry.getValue(), where);
            count += entry.getValue().size();
        }
        assertFalse(cursor.next(), where);
        if (from.length == 0) {
            assertEquals(count, tables.count(table), where);
        }
    }

    private static void requireList(Postings found, NavigableSet<Posting> expected, String where) {
        assertEquals(expected.size(), found.size(), where);
        for (var posting : expected) {
            assertFalse(found.isDone(), where);
            assertEquals(posting.high, found.high(), where);
            assertEquals(posting.low, found.low(), where);
            found.next();
        }
        assertTrue(found.isDone(), where);
    }

    /// Looks at random places: rows that are there or not, beginnings of scans, and jumps within lists.
    void requireSameAtRandom(ReadTables tables, RandomGenerator random, int looks, String where) {
        for (int i = 0; i < looks; i++) {
            for (var entry : rows.entrySet()) {
                lookAtRow(tables, entry.getKey(), entry.getValue(), random, where);
            }
            for (var entry : lists.entrySet()) {
                lookAtList(tables, entry.getKey(), entry.getValue(), random, where);
            }
        }
    }

    private static void lookAtRow(
            ReadTables tables, Table table, NavigableMap<byte[], byte[]> map, RandomGenerator random, String where) {
        var key = someKey(map, random);
        if (map.containsKey(key)) {
            assertArrayEquals(map.get(key), tables.find(table, key), where);
        } else {
            assertNull(tables.find(table, key), where);
        }
        if (key.length == 8) {
            assertArrayEquals(
                    map.get(key), tables.find(table, ByteBuffer.wrap(key).getLong()), where);
        }
        var cursor = tables.rows(table, key);
        for (var entry : map.tailMap(key).entrySet()) {
            assertTrue(cursor.next(), where);
            assertArrayEquals(entry.getKey(), cursor.key(), where);
            if (random.nextInt(5) == 0) {
                assertArrayEquals(entry.getValue(), cursor.value(), where);
                return;
            }
        }
        assertFalse(cursor.next(), where);
    }

    private static void lookAtList(
            ReadTables tables,
            Table table,
            NavigableMap<byte[], NavigableSet<Posting>> map,
            RandomGenerator random,
            String where) {
        var key = someKey(map, random);
        var expected = map.getOrDefault(key, new TreeSet<>(ORDER));
        var found = tables.postings(table, key);
        assertEquals(expected.size(), found.size(), where);
        jumpThrough(found, expected, random, where);
        var lists = tables.lists(table, key);
        var next = map.ceilingEntry(key);
        assertEquals(next != null, lists.next(), where);
        if (next != null) {
            assertArrayEquals(next.getKey(), lists.key(), where);
            jumpThrough(lists.postings(), next.getValue(), random, where);
        }
    }

    private static void jumpThrough(
            Postings found, NavigableSet<Posting> expected, RandomGenerator random, String where) {
        var current = expected.isEmpty() ? null : expected.first();
        while (current != null) {
            assertFalse(found.isDone(), where);
            assertEquals(current, new Posting(found.high(), found.low()), where);
            if (random.nextInt(3) == 0) {
                found.next();
                current = expected.higher(current);
            } else {
                var wanted = somePosting(expected, current, random);
                found.seek(wanted.high, wanted.low);
                current = ORDER.compare(wanted, current) <= 0 ? current : expected.ceiling(wanted);
            }
        }
        assertTrue(found.isDone(), where);
        found.seek(-1, -1);
        assertTrue(found.isDone(), where);
    }

    /// One of the list, near the current one or anywhere, or near one of the list.
    private static Posting somePosting(NavigableSet<Posting> list, Posting current, RandomGenerator random) {
        return switch (random.nextInt(5)) {
            case 0 -> new Posting(random.nextLong(), random.nextLong());
            case 1 -> new Posting(current.high + random.nextInt(-2, 20), random.nextLong());
            case 2 -> new Posting(current.high, current.low + random.nextInt(-1, 3));
            case 3 -> new Posting(current.high + random.nextLong(1, 1L << random.nextInt(1, 63)), 0);
            default -> random.nextBoolean() ? list.last() : list.first();
        };
    }

    private static byte[] someKey(NavigableMap<byte[], ?> map, RandomGenerator random) {
        var probe = new byte[random.nextInt(1, 12)];
        random.nextBytes(probe);
        var near = map.ceilingKey(probe);
        return near != null && random.nextInt(4) > 0 ? near : probe;
    }
}
