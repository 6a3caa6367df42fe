package dev.grapnel.store.lmdb;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.grapnel.store.table.Table;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A store from which somebody vanished, or whose last event of a kind was deleted, was taken for damaged after
/// the next start: LMDB counts a page too many for each list that had grown beyond a page and became empty.
final class LmdbEmptiedListTest {
    private static final byte[] EMPTIED = {1};
    private static final byte[] KEPT = {2};
    private static final int COUNT = 1_000;

    @Test
    void storeWithListsThatBecameEmptyIsSound(@TempDir Path directory) {
        try (var engine = LmdbEngine.open(directory, LmdbConfig.DEFAULTS)) {
            fill(engine);
            fill(engine);
        }
        try (var engine = LmdbEngine.open(directory, LmdbConfig.DEFAULTS)) {
            assertEquals(List.of(), engine.checkPages());
            fill(engine);
            engine.compact();
            assertEquals(List.of(), engine.checkPages());
        }
    }

    /// Makes a long list and empties it again.
    private static void fill(LmdbEngine engine) {
        try (var tables = engine.begin()) {
            tables.add(Table.KINDS, KEPT, 1, 1);
            for (int i = 0; i < COUNT; i++) {
                tables.add(Table.KINDS, EMPTIED, i, i);
            }
            tables.commit();
        }
        try (var tables = engine.begin()) {
            for (int i = 0; i < COUNT; i++) {
                tables.remove(Table.KINDS, EMPTIED, i, i);
            }
            tables.commit();
        }
    }
}
