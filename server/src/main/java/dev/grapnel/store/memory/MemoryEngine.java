package dev.grapnel.store.memory;

import dev.grapnel.store.table.StoreFailure;
import dev.grapnel.store.table.Table;
import dev.grapnel.store.table.TableEngine;
import dev.grapnel.store.table.TableSnapshot;
import dev.grapnel.store.table.WriteTables;
import java.util.concurrent.atomic.AtomicReference;
import java.util.random.RandomGenerator;

/// Tables in memory.
public final class MemoryEngine implements TableEngine {
    /// Events that are kept unless told otherwise (service 10.1).
    public static final long EVENTS_MAX = 100_000;

    private final RandomGenerator random;
    private final long eventsMax;
    private final AtomicReference<MemoryTables> committed = new AtomicReference<>(new MemoryTables());

    /// @param random balances the tables
    /// @param eventsMax events that may be kept; a transaction that would keep more fails
    public MemoryEngine(RandomGenerator random, long eventsMax) {
        this.random = random;
        this.eventsMax = eventsMax;
    }

    @Override
    public TableSnapshot pin() {
        return new Snapshot(committed.get());
    }

    @Override
    public WriteTables begin() {
        return new Changes(committed.get());
    }

    @Override
    public void flush() {
        // there is no device
    }

    @Override
    public void close() {
        committed.set(new MemoryTables());
    }

    /// A state that was committed. It costs nothing to keep.
    private static final class Snapshot extends MemoryTables implements TableSnapshot {
        Snapshot(MemoryTables tables) {
            super(tables);
        }

        @Override
        public void close() {
            // the collector takes what nobody sees any more
        }
    }

    /// A state in the making.
    private final class Changes extends MemoryTables implements WriteTables {
        Changes(MemoryTables from) {
            super(from);
        }

        @Override
        public void put(Table table, byte[] key, byte[] value) {
            setRows(table, rows(table).with(key.clone(), value.clone(), random.nextInt()));
        }

        @Override
        public void put(Table table, long key, byte[] value) {
            put(table, numberKey(key), value);
        }

        @Override
        public boolean remove(Table table, byte[] key) {
            var before = rows(table);
            setRows(table, before.without(key));
            return rows(table).size() < before.size();
        }

        @Override
        public boolean remove(Table table, long key) {
            return remove(table, numberKey(key));
        }

        @Override
        public boolean add(Table table, byte[] key, long high, long low) {
            var before = lists(table);
            setLists(table, before.with(new ListKey(key.clone(), high, low), true, random.nextInt()));
            return lists(table).size() > before.size();
        }

        @Override
        public boolean remove(Table table, byte[] key, long high, long low) {
            var before = lists(table);
            setLists(table, before.without(new ListKey(key, high, low)));
            return lists(table).size() < before.size();
        }

        @Override
        public void commit() {
            if (count(Table.EVENTS) > eventsMax
                    && count(Table.EVENTS) > committed.get().count(Table.EVENTS)) {
                throw new StoreFailure("the store in memory keeps at most " + eventsMax
                        + " events: start with --database-backend lmdb to keep more");
            }
            committed.set(new MemoryTables(this));
        }

        @Override
        public void close() {
            // what was not committed is seen by nobody
        }
    }
}
