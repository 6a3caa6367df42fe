package dev.grapnel.store.engine;

import dev.grapnel.store.table.ReadTables;
import dev.grapnel.store.table.StoreDamage;
import dev.grapnel.store.table.Table;
import dev.grapnel.store.table.TableEngine;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/// Looks whether everything in the tables agrees: events, indexes, tombstones, current versions, held rows,
/// ledgers. Changes nothing and keeps little in memory, however large the store is.
public final class StoreCheck {
    /// What was looked at, and how much was wrong.
    public record Report(long events, long postings, long rows, long problems) {}

    private final ReadTables tables;
    private final Consumer<String> problems;
    private long found;

    private StoreCheck(ReadTables tables, Consumer<String> problems) {
        this.tables = tables;
        this.problems = problems;
    }

    /// Checks the last commit of an engine that nobody writes to.
    ///
    /// @param problems hears of each problem, in words for the operator
    /// @param progress hears of the number of events looked at, now and then
    public static Report run(TableEngine engine, Consumer<String> problems, LongConsumer progress) {
        try (var snapshot = engine.pin()) {
            return new StoreCheck(snapshot, problems).run(progress);
        }
    }

    private Report run(LongConsumer progress) {
        var events = new EventCheck(tables, this::report);
        guard("the table events", () -> events.run(progress));
        guard("the indexes", events::findSurplus);
        guard("the table meta", () -> checkNumber(events.lastNumber()));
        guard("the tables of deletions", () -> new DeletionCheck(tables, this::report).run());
        guard("the held events", () -> new HeldCheck(tables, this::report).run());
        long postings = 0;
        long rows = 0;
        for (var table : Table.values()) {
            switch (table.form()) {
                case ROWS -> rows += tables.count(table);
                case POSTINGS -> postings += tables.count(table);
            }
        }
        return new Report(events.count(), postings, rows, found);
    }

    private void checkNumber(long last) {
        long number = Meta.NUMBER.read(tables);
        if (number < last || number > Posting.NUMBER_MAX) {
            report("the last commit number is " + number + ", but there is an event with number " + last);
        }
        var removals = tables.rows(Table.REMOVALS, new byte[0]);
        while (removals.next()) {
            RemovalRows.decode(removals.value());
            if (Keys.number(removals.key()) > number) {
                report("a removal has the number " + Keys.number(removals.key()) + ", which was not given out yet");
            }
        }
    }

    /// Runs one part; what it cannot read at all ends that part only.
    private void guard(String part, Runnable check) {
        try {
            check.run();
        } catch (StoreDamage damage) {
            report(part + " cannot be read to the end: " + damage.getMessage());
        }
    }

    private void report(String problem) {
        found++;
        problems.accept(problem);
    }
}
