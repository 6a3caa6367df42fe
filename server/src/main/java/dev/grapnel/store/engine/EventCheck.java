package dev.grapnel.store.engine;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.store.StoreDecision;
import dev.grapnel.store.StoreRules;
import dev.grapnel.store.table.ReadTables;
import dev.grapnel.store.table.StoreDamage;
import dev.grapnel.store.table.Table;
import java.time.Instant;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/// Looks whether every served event is what it was, is found under every key it should be, and under no other.
final class EventCheck {
    private static final int PROGRESS = 10_000;

    private final ReadTables tables;
    private final Consumer<String> problems;
    private final TableView view;
    private final boolean respected;
    private final Map<Table, Long> expected = new EnumMap<>(Table.class);
    private boolean missing;
    private long reported;
    private long count;
    private long lastNumber;

    EventCheck(ReadTables tables, Consumer<String> problems) {
        this.tables = tables;
        this.problems = problems;
        this.view = new TableView(tables, new StoreDecision(StoreRules.DEFAULTS), Instant.EPOCH);
        this.respected = Meta.DISRESPECTED.read(tables) == 0;
        for (var table : Table.values()) {
            if (table.form() == Table.Form.POSTINGS) {
                expected.put(table, 0L);
            }
        }
    }

    long count() {
        return count;
    }

    long lastNumber() {
        return lastNumber;
    }

    void run(LongConsumer progress) {
        var rows = tables.rows(Table.EVENTS, new byte[0]);
        while (rows.next()) {
            if (++count % PROGRESS == 0) {
                progress.accept(count);
            }
            if (rows.key().length != Long.BYTES) {
                problems.accept("table events has a key of " + rows.key().length + " bytes");
                continue;
            }
            lastNumber = Keys.number(rows.key());
            try {
                check(
                        lastNumber,
                        EventRecord.read(lastNumber, rows.value()).event().read());
            } catch (StoreDamage | IllegalStateException damage) {
                problems.accept(String.valueOf(damage.getMessage()));
                missing = true;
            }
        }
        if (tables.count(Table.EVENTS) != count) {
            problems.accept("table events says it has " + tables.count(Table.EVENTS) + " rows, but has " + count);
        }
        if (tables.count(Table.NUMBERS) != count) {
            problems.accept(
                    "table numbers has " + tables.count(Table.NUMBERS) + " rows, but there are " + count + " events");
        }
        progress.accept(count);
    }

    private void check(long number, Event event) {
        checkId(number, event.id());
        var posting = Posting.of(event.createdAt(), event.id(), number);
        EventIndex.forEach(event, (table, key) -> {
            expected.merge(table, 1L, Long::sum);
            var postings = tables.postings(table, key);
            postings.seek(posting.high(), posting.low());
            if (postings.isDone() || postings.high() != posting.high() || postings.low() != posting.low()) {
                missing = true;
                problems.accept(named(number, event) + " is missing in index " + table.storedName());
            }
        });
        checkPlace(number, event);
    }

    private void checkId(long number, EventId id) {
        var stored = tables.find(Table.NUMBERS, number);
        if (stored == null || !Arrays.equals(stored, id.toBytes())) {
            problems.accept("table numbers has another id for event number " + number + " than " + id);
        }
    }

    private void checkPlace(long number, Event event) {
        event.findAddress().ifPresent(address -> {
            if (tables.postings(Table.ADDRESSES, Keys.address(address)).size() > 1) {
                problems.accept(named(number, event) + " is not the only version of " + address);
            }
        });
        if (view.isHeld(event.id())) {
            problems.accept(named(number, event) + " is served and held");
        }
        if (view.isBanned(event)) {
            problems.accept(named(number, event) + " is served though it or its author is banned");
        }
        if (respected) {
            checkDeletions(number, event);
        }
    }

    private void checkDeletions(long number, Event event) {
        view.findObstacle(event)
                .ifPresent(refusal ->
                        problems.accept(named(number, event) + " is served, but would be refused: " + refusal));
    }

    private static String named(long number, Event event) {
        return "event " + event.id() + " (number " + number + ")";
    }

    /// Looks for postings that no event has, if the numbers say that there must be some.
    void findSurplus() {
        for (var entry : expected.entrySet()) {
            long postings = tables.count(entry.getKey());
            if (postings != entry.getValue() || missing) {
                long before = reported;
                walk(entry.getKey());
                if (before == reported && postings != entry.getValue() && !missing) {
                    problems.accept("index " + entry.getKey().storedName() + " says it has " + postings
                            + " postings, but " + entry.getValue() + " belong to events");
                }
            }
        }
    }

    private void walk(Table table) {
        var lists = tables.lists(table, new byte[0]);
        while (lists.next()) {
            var key = lists.key();
            for (var postings = lists.postings(); !postings.isDone(); postings.next()) {
                if (!isIndexed(table, key, postings.high(), postings.low())) {
                    reported++;
                    problems.accept("index " + table.storedName() + " names event number "
                            + Posting.number(postings.low()) + " under a key that is not its own");
                }
            }
        }
    }

    private boolean isIndexed(Table table, byte[] key, long high, long low) {
        long number = Posting.number(low);
        var bytes = tables.find(Table.EVENTS, number);
        if (bytes == null) {
            return false;
        }
        try {
            var record = EventRecord.read(number, bytes);
            var keys = new boolean[1];
            EventIndex.forEach(
                    record.event().read(),
                    (other, otherKey) -> keys[0] |= other == table && Arrays.equals(key, otherKey));
            return keys[0] && record.fits(high, low);
        } catch (StoreDamage | IllegalStateException _) {
            return true; // reported already, as an event
        }
    }
}
