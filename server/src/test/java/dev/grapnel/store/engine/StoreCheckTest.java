package dev.grapnel.store.engine;

import static dev.grapnel.store.engine.StoreFixture.NOW;
import static dev.grapnel.store.engine.StoreFixture.deletionOf;
import static dev.grapnel.store.engine.StoreFixture.note;
import static dev.grapnel.store.engine.StoreFixture.tagged;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.store.memory.MemoryEngine;
import dev.grapnel.store.row.HeldState;
import dev.grapnel.store.row.Source;
import dev.grapnel.store.table.Table;
import dev.grapnel.store.table.WriteTables;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Every way in which tables can disagree is found.
final class StoreCheckTest {
    private final MemoryEngine engine = new MemoryEngine(new Random(1), 1_000);
    private final StoreFixture fixture = new StoreFixture(() -> new MemoryStoreTest.Kept(engine));
    private final Event event = tagged(0, 30_000, NOW, List.of(List.of("d", "x"), List.of("t", "y")));
    private final Event state = tagged(3, Kinds.STATE, NOW, List.of(List.of("d", "x")));
    private final Event gated = deletionOf(5, NOW, note(5, NOW, "x"));
    private final Event deleted = note(0, NOW, "deleted");

    @BeforeEach
    void fill() {
        fixture.serve(event, deleted, deletionOf(0, NOW, deleted));
        var now = Instant.ofEpochSecond(NOW);
        fixture.hold(new HeldState(state, now, now, Source.DIRECT));
        fixture.save(gated);
        fixture.assertSound();
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private void assertFinds(String phrase, Consumer<WriteTables> damage) {
        try (var tables = engine.begin()) {
            damage.accept(tables);
            tables.commit();
        }
        var found = new ArrayList<String>();
        var report = StoreCheck.run(engine, found::add, _ -> {});
        assertTrue(found.stream().anyMatch(problem -> problem.contains(phrase)), () -> phrase + " not in " + found);
        assertEquals(found.size(), report.problems());
    }

    @Test
    void aMissingPostingOfEveryIndexIsFound() {
        for (var table : List.of(
                Table.IDS,
                Table.TIMES,
                Table.AUTHORS,
                Table.KINDS,
                Table.AUTHOR_KINDS,
                Table.TAGS,
                Table.KIND_TAGS,
                Table.ADDRESSES)) {
            var posting = Posting.of(NOW, event.id(), 1);
            EventIndex.forEach(event, (indexed, key) -> {
                if (indexed == table) {
                    assertFinds(
                            "is missing in index " + table.storedName(),
                            tables -> tables.remove(table, key, posting.high(), posting.low()));
                }
            });
        }
    }

    @Test
    void aSurplusPostingIsFound() {
        var posting = Posting.of(NOW, event.id(), 1);
        assertFinds(
                "under a key that is not its own",
                tables -> tables.add(Table.KINDS, Keys.kind(7), posting.high(), posting.low()));
    }

    @Test
    void aPostingOfAnEventThatIsNotThereIsFound() {
        var posting = Posting.of(NOW, event.id(), 99);
        assertFinds(
                "names event number 99", tables -> tables.add(Table.TIMES, Keys.ALL, posting.high(), posting.low()));
    }

    @Test
    void aChangedRecordIsFound() {
        assertFinds("does not fit its checksum", tables -> {
            var bytes = Objects.requireNonNull(tables.find(Table.EVENTS, 1));
            bytes[100] ^= 1;
            tables.put(Table.EVENTS, 1, bytes);
        });
    }

    @Test
    void aRecordUnderAnotherNumberIsFound() {
        assertFinds(
                "event number 9 does not fit its checksum",
                tables -> tables.put(Table.EVENTS, 9, Objects.requireNonNull(tables.find(Table.EVENTS, 1))));
    }

    @Test
    void aMissingOrWrongIdIsFound() {
        assertFinds("table numbers has another id", tables -> tables.remove(Table.NUMBERS, 1));
    }

    @Test
    void aCommitNumberThatGoesBackIsFound() {
        assertFinds("the last commit number is 1", tables -> Meta.NUMBER.write(tables, 1));
    }

    @Test
    void anEventThatIsServedAndHeldIsFound() {
        assertFinds(
                "is served and held",
                tables -> tables.put(Table.HELD_IDS, event.id().toBytes(), new byte[] {1, 1}));
    }

    @Test
    void aHeldEventThatIsNotFoundIsFound() {
        assertFinds(
                "is not found by its id",
                tables -> tables.remove(Table.HELD_IDS, state.id().toBytes()));
        assertFinds(
                "is not found by its author",
                tables -> tables.remove(
                        Table.HELD_AUTHORS,
                        Keys.join(state.author().toBytes(), state.id().toBytes())));
    }

    @Test
    void aDamagedRowIsFound() {
        assertFinds("damaged row", tables -> {
            var rows = tables.rows(Table.HELD_STATES, new byte[0]);
            assertTrue(rows.next());
            var value = rows.value();
            value[20] ^= 4;
            tables.put(Table.HELD_STATES, rows.key(), value);
        });
    }

    @Test
    void anEventThatShouldBeGoneIsFound() {
        assertFinds(
                "would be refused",
                tables -> tables.put(
                        Table.TOMBSTONES,
                        Keys.deletion(event.author(), event.id()),
                        new Tombstone(NOW, event.id(), true).encode()));
        assertFinds("is banned", tables -> tables.put(Table.BANS, Keys.ban(event.id()), new byte[0]));
    }

    @Test
    void gatesThatDisagreeAreFound() {
        assertFinds("targets of gates", tables -> Meta.GATE_TARGETS.write(tables, 7));
        assertFinds(
                "a row names gate",
                tables -> tables.remove(Table.GATES, gated.id().toBytes()));
    }

    @Test
    void aTombstoneThatCannotBeReadIsFound() {
        assertFinds(
                "tables of deletions cannot be read",
                tables -> tables.put(Table.TOMBSTONES, Keys.deletion(event.author(), state.id()), new byte[3]));
    }
}
