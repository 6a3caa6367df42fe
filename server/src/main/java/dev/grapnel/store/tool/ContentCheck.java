package dev.grapnel.store.tool;

import dev.grapnel.store.engine.EventLog;
import dev.grapnel.store.table.Table;
import dev.grapnel.store.table.TableEngine;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/// Looks at what is in the tables, as far as one can tell right from wrong without the indexes: every record of
/// an event must fit its checksum.
public final class ContentCheck {
    private ContentCheck() {}

    /// What was looked at, and how much was wrong with it.
    public record Report(long events, long postings, long rows, long problems) {}

    /// Looks at everything.
    ///
    /// @param problems hears of each
    /// @param progress hears how many events were looked at, now and then
    public static Report run(TableEngine engine, Consumer<String> problems, LongConsumer progress) {
        var found = new AtomicLong();
        long events = 0;
        try (var log = new EventLog(engine, InstantSource.system(), problem -> {
            found.incrementAndGet();
            problems.accept(problem);
        })) {
            while (log.next().isPresent()) {
                progress.accept(++events);
            }
        }
        return new Report(events, entries(engine, Table.Form.POSTINGS), entries(engine, Table.Form.ROWS), found.get());
    }

    private static long entries(TableEngine engine, Table.Form form) {
        try (var snapshot = engine.pin()) {
            return Arrays.stream(Table.values())
                    .filter(table -> table.form() == form)
                    .mapToLong(snapshot::count)
                    .sum();
        }
    }
}
