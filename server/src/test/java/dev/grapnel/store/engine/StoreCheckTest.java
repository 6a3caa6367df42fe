package dev.grapnel.store.engine;

import static dev.grapnel.store.engine.StoreFixture.NOW;
import static dev.grapnel.store.engine.StoreFixture.deletionOf;
import static dev.grapnel.store.engine.StoreFixture.note;
import static dev.grapnel.store.engine.StoreFixture.tagged;
import static dev.grapnel.store.engine.StoreFixture.vanish;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.store.Change;
import dev.grapnel.store.StoreFollower;
import dev.grapnel.store.TailStep;
import dev.grapnel.store.memory.KeptMemory;
import dev.grapnel.store.row.HeldState;
import dev.grapnel.store.row.Source;
import dev.grapnel.store.table.StoreDamage;
import dev.grapnel.store.table.Table;
import dev.grapnel.store.table.WriteTables;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Every way in which tables can disagree is found.
final class StoreCheckTest {
    private final KeptMemory memory = new KeptMemory(1_000);
    private final StoreFixture fixture = new StoreFixture(memory);
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
        change(damage);
        var found = new ArrayList<String>();
        var report = StoreCheck.run(memory.last(), found::add, _ -> {});
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
                tables ->
                        new Tombstone(NOW, event.id(), true).write(tables, Keys.deletion(event.author(), event.id())));
        assertFinds("is banned", tables -> SealedRows.put(tables, Table.BANS, Keys.ban(event.id()), new byte[0]));
    }

    @Test
    void aFlippedBitInAnyRowIsFound() {
        fixture.write(transaction -> {
            transaction.ban(event.id(), "a reason");
            return true;
        });
        fixture.serve(vanish(7, NOW, "ALL_RELAYS"));
        fixture.assertSound();
        for (var table : Table.values()) {
            if (table.form() == Table.Form.ROWS && fixture.rows(table) > 0) {
                flipEachBitOfOneRow(table);
            }
        }
    }

    private void flipEachBitOfOneRow(Table table) {
        byte[] key;
        byte[] value;
        try (var snapshot = memory.last().pin()) {
            var rows = snapshot.rows(table, new byte[0]);
            assertTrue(rows.next());
            key = rows.key();
            value = rows.value();
        }
        for (int bit = 0; bit < 8 * (key.length + value.length); bit++) {
            var bytes = Keys.join(key, value);
            bytes[bit / 8] ^= (byte) (1 << bit % 8);
            var changedKey = Arrays.copyOf(bytes, key.length);
            var changedValue = Arrays.copyOfRange(bytes, key.length, bytes.length);
            var where = table + ", bit " + bit;
            change(tables -> {
                tables.remove(table, key);
                tables.put(table, changedKey, changedValue);
            });
            assertTrue(StoreCheck.run(memory.last(), _ -> {}, _ -> {}).problems() > 0, where);
            change(tables -> {
                tables.remove(table, changedKey);
                tables.put(table, key, value);
            });
        }
        fixture.assertSound();
    }

    private void change(Consumer<WriteTables> changes) {
        try (var tables = memory.last().begin()) {
            changes.accept(tables);
            tables.commit();
        }
    }

    @Test
    void aStoreThatWouldGiveOutNumbersAgainIsNotOpened() {
        change(tables -> Meta.NUMBER.write(tables, 1));
        var problem = assertThrows(StoreDamage.class, fixture::reopen);
        assertEquals("the last commit number is 1, but there are later events", problem.getMessage());
    }

    @Test
    void aFollowerGetsPastWhatIsDamaged() throws InterruptedException {
        var last = note(1, NOW, "after the damage");
        fixture.serve(last);
        change(tables -> {
            var removals = tables.rows(Table.REMOVALS, new byte[0]);
            assertTrue(removals.next());
            tables.put(Table.REMOVALS, removals.key(), new byte[20]);
            tables.put(Table.EVENTS, 1, new byte[500]);
        });
        var step = fixture.store().tail(0).next(100, Duration.ZERO);
        var changes = assertInstanceOf(TailStep.Changes.class, step).changes();
        assertEquals(
                last.id(),
                assertInstanceOf(Change.Served.class, changes.getLast()).event().id());
        assertEquals(2, fixture.problems.size(), fixture.problems.toString());
    }

    @Test
    void gatesThatDisagreeAreFound() {
        assertFinds("targets of gates", tables -> Meta.GATE_TARGETS.write(tables, 7));
        assertFinds(
                "a row names gate",
                tables -> tables.remove(Table.GATES, gated.id().toBytes()));
    }

    /// Leaves a request behind that is served no more.
    private Event retire() {
        var request = deletionOf(0, NOW, note(0, NOW, "never seen"));
        fixture.serve(request);
        fixture.age(Duration.ofDays(30));
        fixture.assertSound();
        assertEquals(1, fixture.rows(Table.RETIRED_REQUESTS));
        return request;
    }

    @Test
    void retiredRequestsThatDisagreeAreFound() {
        var request = retire();
        var id = request.id().toBytes();
        assertFinds(
                "is not found by its author",
                tables -> tables.remove(Table.RETIRED_AUTHORS, RetiredTables.authorKey(request)));
        assertFinds(
                "says it has 0 rows of table retired_authors, but 1 were counted",
                tables -> tables.remove(Table.RETIRED_AUTHORS, RetiredTables.authorKey(request)));
        assertFinds("nothing says when retired request", tables -> tables.remove(Table.REQUESTS, id));
        assertFinds("a row names retired request " + request.id() + ", which is not there", tables -> {
            tables.put(Table.RETIRED_AUTHORS, RetiredTables.authorKey(request), new byte[0]);
            tables.remove(Table.RETIRED_REQUESTS, id);
        });
    }

    @Test
    void aFlippedBitInARetiredRequestIsFound() {
        retire();
        flipEachBitOfOneRow(Table.RETIRED_REQUESTS);
        flipEachBitOfOneRow(Table.RETIRED_AUTHORS);
    }

    @Test
    void aRequestThatIsServedAndRetiredIsFound() {
        var request = retire();
        assertFinds("is served and retired", tables -> {
            var events = new EventTables(tables, StoreFollower.NONE);
            events.takeNumber();
            events.insert(request);
            events.finish();
        });
    }

    @Test
    void aTombstoneThatCannotBeReadIsFound() {
        assertFinds(
                "a row of table tombstones does not fit its checksum",
                tables -> tables.put(Table.TOMBSTONES, Keys.deletion(event.author(), state.id()), new byte[3]));
    }
}
