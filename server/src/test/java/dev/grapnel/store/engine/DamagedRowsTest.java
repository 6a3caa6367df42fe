package dev.grapnel.store.engine;

import static dev.grapnel.store.engine.StoreFixture.NOW;
import static dev.grapnel.store.engine.StoreFixture.deletionOf;
import static dev.grapnel.store.engine.StoreFixture.note;
import static dev.grapnel.store.engine.StoreFixture.tagged;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.store.StoreRules;
import dev.grapnel.store.lmdb.LmdbConfig;
import dev.grapnel.store.lmdb.LmdbEngine;
import dev.grapnel.store.row.Held;
import dev.grapnel.store.row.HeldState;
import dev.grapnel.store.row.Source;
import dev.grapnel.store.table.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Rows that cannot be read leave the store for a file, and everything else goes on (purgatory P-703).
final class DamagedRowsTest {
    private final List<String> heard = new ArrayList<>();

    private static HeldState state(int author) {
        var now = Instant.ofEpochSecond(NOW);
        return new HeldState(tagged(author, Kinds.STATE, NOW, List.of(List.of("d", "x"))), now, now, Source.DIRECT);
    }

    private static void damage(Path directory, Table table) {
        try (var engine = LmdbEngine.open(directory, LmdbConfig.DEFAULTS);
                var tables = engine.begin()) {
            var rows = tables.rows(table, new byte[0]);
            assertTrue(rows.next());
            var key = rows.key();
            var value = rows.value();
            value[value.length / 2] ^= 16;
            tables.put(table, key, value);
            tables.commit();
        }
    }

    @Test
    void aDamagedRowIsMovedIntoAFileAndTheRestIsUsed(@TempDir Path directory) throws IOException {
        try (var fixture = new StoreFixture(() -> LmdbEngine.open(directory, LmdbConfig.DEFAULTS))) {
            fixture.hold(state(0));
            fixture.hold(state(1));
            fixture.save(deletionOf(5, NOW, note(5, NOW, "x")));
            fixture.save(deletionOf(6, NOW, note(6, NOW, "x")));
            fixture.serve(note(2, NOW, "served"));
            fixture.serve(deletionOf(2, NOW, note(2, NOW, "x")), deletionOf(2, NOW, note(2, NOW, "y")));
            fixture.age(Duration.ofDays(30));
        }
        damage(directory, Table.HELD_STATES);
        damage(directory, Table.GATES);
        damage(directory, Table.RETIRED_REQUESTS);
        var time = new ManualTime(NOW);
        var engine = LmdbEngine.open(directory, LmdbConfig.DEFAULTS);
        try (var store = new TableStore(
                engine, StoreRules.DEFAULTS, WriterConfig.DEFAULTS, time, new Heard(), new DamagedRowFile(directory))) {
            assertEquals(3, heard.size(), heard::toString);
            assertTrue(heard.getFirst().contains("damaged-rows-20231114-221320.jsonl"), heard::toString);
            assertEquals(1L, (Object) store.read(view -> view.count(Table.HELD_STATES)));
            assertEquals(1L, (Object) store.read(view -> view.count(Table.GATES)));
            assertEquals(1L, (Object) store.read(view -> view.count(Table.RETIRED_REQUESTS)));
            var problems = new ArrayList<String>();
            StoreCheck.run(engine, problems::add, _ -> {});
            assertEquals(List.of(), problems);
            var left = List.of(state(0), state(1)).stream()
                    .filter(row ->
                            store.read(view -> view.findHeld(row.event().id())).equals(Optional.<Held>of(row)))
                    .toList();
            assertEquals(1, left.size());
        }
        var lines = Files.readAllLines(directory.resolve("damaged-rows-20231114-221320.jsonl"));
        assertEquals(3, lines.size());
        assertTrue(lines.getLast().startsWith("{\"table\":\"held_states\",\"key\":\""), lines.getLast());
    }

    private final class Heard implements StoreObserver {
        @Override
        public void damaged(String where) {
            heard.add("damaged " + where);
        }

        @Override
        public void setAside(String row, String file) {
            heard.add(row + " " + file);
        }

        @Override
        public void refusing(String reason) {
            heard.add("refusing " + reason);
        }

        @Override
        public void writing() {
            heard.add("writing");
        }
    }
}
