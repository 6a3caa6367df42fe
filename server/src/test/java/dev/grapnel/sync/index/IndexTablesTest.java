package dev.grapnel.sync.index;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.grapnel.nostr.event.EventId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class IndexTablesTest {
    @TempDir
    private Path directory;

    @Test
    void cellsKeepWhatWasSetAcrossChunks() throws IOException {
        try (var tables = new MappedTables(directory)) {
            var cells = new Cells(tables, "cells");
            int count = 600_000;
            for (int cell = 0; cell < count; cell++) {
                cells.set(cell, cell * 31);
            }
            for (int cell = 0; cell < count; cell++) {
                assertEquals(cell * 31, cells.get(cell));
            }
            assertEquals(37L << 16, cells.bytes());
        }
    }

    @Test
    void tableThatCannotGrowOnDiskGoesOnInMemory() throws IOException {
        var gone = directory.resolve("gone");
        try (var tables = new MappedTables(gone)) {
            Files.delete(gone);
            var cells = new Cells(tables, "cells");
            cells.set(1_000_000, 7);
            assertEquals(7, cells.get(1_000_000));
            assertEquals(0, cells.get(999_999));
        }
    }

    @Test
    void idsAreFoundByTheirOrdinals() throws IOException {
        try (var tables = new MappedTables(directory)) {
            var ids = new IdTable(tables, "ids", new Salt(42));
            int count = 200_000;
            for (int number = 0; number < count; number++) {
                assertEquals(-1, ids.find(Samples.id(number)));
                assertEquals(number, ids.intern(Samples.id(number)));
                assertEquals(number, ids.intern(Samples.id(number)));
            }
            for (int number = 0; number < count; number++) {
                assertEquals(number, ids.find(Samples.id(number)));
                assertEquals(Samples.id(number), ids.make(number, EventId::new));
            }
        }
    }

    /// Twenty million fill as many segments as this 256th of them, each as full.
    @Test
    void indexOfIdsLeavesNothingBehindWhenItGrows() {
        var index = new HashIndex(new HeapTables(), "ids", IndexTablesTest::hash);
        int count = 20_000_000 / 256;
        for (int number = 0; number < count; number++) {
            index.add(hash(number), number);
        }
        assertEquals(5.05, (double) index.bytes() / count, 0.05);
        for (int number = 0; number < count; number++) {
            int wanted = number;
            assertEquals(number, index.find(hash(number), ordinal -> ordinal == wanted));
        }
        assertEquals(-1, index.find(hash(count), ordinal -> ordinal == count));
    }

    private static long hash(int number) {
        return new Salt(7).hash(number, number);
    }

    @Test
    void listsAreWhatPlainListsWouldBe() {
        for (int seed = 0; seed < 50; seed++) {
            var random = new Random(seed);
            var lists = new IntLists(new HeapTables(), "lists");
            var plain = new ArrayList<List<Integer>>();
            for (int step = 0; step < 2000; step++) {
                if (plain.size() < 10) {
                    assertEquals(plain.size(), lists.add());
                    plain.add(new ArrayList<>());
                }
                change(random, lists, plain);
            }
            for (int list = 0; list < plain.size(); list++) {
                assertEquals(plain.get(list), entries(lists, list), "seed " + seed);
            }
        }
    }

    private static void change(Random random, IntLists lists, List<List<Integer>> plain) {
        int list = random.nextInt(plain.size());
        var entries = plain.get(list);
        int value = random.nextInt(1000);
        if (entries.isEmpty() || random.nextInt(3) > 0) {
            assertEquals(entries.size(), lists.append(list, value));
            entries.add(value);
            return;
        }
        int place = random.nextInt(entries.size());
        if (random.nextBoolean()) {
            lists.set(list, place, value);
            entries.set(place, value);
        } else {
            lists.removeSwapping(list, place);
            entries.set(place, entries.getLast());
            entries.removeLast();
        }
    }

    private static List<Integer> entries(IntLists lists, int list) {
        var entries = new ArrayList<Integer>();
        for (int place = 0; place < lists.size(list); place++) {
            entries.add(lists.get(list, place));
        }
        return entries;
    }

    @Test
    void sortedListsStaySorted() {
        var lists = new IntLists(new HeapTables(), "lists");
        int list = lists.add();
        for (int value : new int[] {5, 1, 9, 3, 7}) {
            lists.insertSorted(list, value);
        }
        assertEquals(List.of(1, 3, 5, 7, 9), entries(lists, list));
    }

    @Test
    void queueIsFirstInFirstOut() {
        var queue = new IntQueue();
        int in = 0;
        int out = 0;
        var random = new Random(1);
        for (int step = 0; step < 10_000; step++) {
            if (queue.isEmpty() || random.nextInt(5) > 1) {
                queue.add(in++);
            } else {
                assertEquals(out++, queue.poll());
            }
        }
        assertEquals(in - out, queue.size());
    }
}
