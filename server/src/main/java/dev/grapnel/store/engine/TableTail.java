package dev.grapnel.store.engine;

import dev.grapnel.store.Change;
import dev.grapnel.store.Tail;
import dev.grapnel.store.TailStep;
import dev.grapnel.store.table.RowCursor;
import dev.grapnel.store.table.SnapshotEnded;
import dev.grapnel.store.table.StoreDamage;
import dev.grapnel.store.table.Table;
import dev.grapnel.store.table.TableEngine;
import dev.grapnel.store.table.TableSnapshot;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/// Follows the commit order by reading events and removals in the order of their numbers.
final class TableTail implements Tail {
    private final TableEngine engine;
    private final Commits commits;
    private final InstantSource clock;
    private final StoreObserver observer;
    private long position;
    private int removals;

    TableTail(TableEngine engine, Commits commits, InstantSource clock, StoreObserver observer, long after) {
        this.engine = engine;
        this.commits = commits;
        this.clock = clock;
        this.observer = observer;
        this.position = after;
    }

    @Override
    public long position() {
        return position;
    }

    @Override
    public TailStep next(int changesMax, Duration wait) throws InterruptedException {
        commits.awaitAfter(position, wait.toNanos());
        if (commits.number() <= position) {
            return new TailStep.Changes(List.of());
        }
        while (true) {
            try (var snapshot = engine.pin()) {
                return read(snapshot, changesMax);
            } catch (SnapshotEnded _) {
                // a slow machine: the next snapshot is read from the same position
            }
        }
    }

    private TailStep read(TableSnapshot tables, int changesMax) {
        long number = Meta.NUMBER.read(tables);
        if (position < Meta.TAIL_FLOOR.read(tables)) {
            position = number;
            removals = 0;
            return new TailStep.Lost(number);
        }
        long after = position;
        int removalsSeen = removals;
        var now = clock.instant();
        var changes = new ArrayList<Change>();
        var events = new Numbered(tables.rows(Table.EVENTS, Keys.number(after + 1)));
        var removed = new Numbered(tables.rows(Table.REMOVALS, RemovalRows.key(after + 1, removalsSeen)));
        while (changes.size() < changesMax && !(events.isDone() && removed.isDone())) {
            if (removed.number <= events.number) {
                if (removed.number != after + 1) {
                    after = removed.number - 1;
                    removalsSeen = 0;
                }
                add(changes, () -> Optional.of(removed.removal()));
                removalsSeen++;
                removed.next();
            } else {
                add(changes, () -> events.event(now));
                after = events.number;
                removalsSeen = 0;
                events.next();
            }
        }
        boolean finished = events.isDone() && removed.isDone();
        position = finished ? number : after;
        removals = finished ? 0 : removalsSeen;
        return new TailStep.Changes(changes);
    }

    /// What cannot be read is left out: whoever follows must get past it.
    private void add(List<Change> changes, Supplier<Optional<Change>> reading) {
        try {
            reading.get().ifPresent(changes::add);
        } catch (StoreDamage damage) {
            observer.damaged(String.valueOf(damage.getMessage()));
        }
    }

    /// Rows whose keys begin with a commit number.
    private static final class Numbered {
        private final RowCursor rows;
        private long number;

        Numbered(RowCursor rows) {
            this.rows = rows;
            next();
        }

        void next() {
            number = rows.next() ? Keys.number(rows.key()) : Long.MAX_VALUE;
        }

        /// Nothing if it has expired.
        Optional<Change> event(Instant now) {
            var record = EventRecord.read(number, rows.value());
            return record.isOver(now) ? Optional.empty() : Optional.of(new Change.Served(record.event()));
        }

        Change removal() {
            return new Change.Removed(number, RemovalRows.decode(rows.key(), rows.value()));
        }

        boolean isDone() {
            return number == Long.MAX_VALUE;
        }
    }
}
