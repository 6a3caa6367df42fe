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
    private final AtomicReference<MemoryTables> committed;
    private volatile boolean closed;

    /// @param random balances the tables
    /// @param eventsMax events that may be kept; a transaction that would keep more fails
    public MemoryEngine(RandomGenerator random, long eventsMax) {
        this(random, eventsMax, new MemoryTables());
    }

    /// @param first what it holds from the beginning
    MemoryEngine(RandomGenerator random, long eventsMax, MemoryTables first) {
        this.random = random;
        this.eventsMax = eventsMax;
        this.committed = new AtomicReference<>(first);
    }

    @Override
    public TableSnapshot pin() {
        requireNotClosed();
        return new Snapshot(committed.get());
    }

    @Override
    public WriteTables begin() {
        requireNotClosed();
        return new Changes(committed.get());
    }

    private void requireNotClosed() {
        if (closed) {
            throw new IllegalStateException("the store is closed");
        }
    }

    /// What was committed last.
    MemoryTables committed() {
        return committed.get();
    }

    @Override
    public void flush() {
        // there is no device
    }

    @Override
    public void close() {
        closed = true;
        committed.set(new MemoryTables());
    }

    /// A state that was committed. It costs nothing to keep.
    private final class Snapshot extends MemoryTables implements TableSnapshot {
        Snapshot(MemoryTables tables) {
            super(tables);
        }

        @Override
        void requireOpen() {
            requireNotClosed();
        }

        @Override
        public void close() {
            // the collector takes what nobody sees any more
        }
    }

    /// A state in the making, for the thread that began it.
    private final class Changes extends MemoryTables implements WriteTables {
        private final Thread writer = Thread.currentThread();
        private volatile boolean ended;

        Changes(MemoryTables from) {
            super(from);
        }

        @Override
        void requireOpen() {
            if (ended || !Thread.currentThread().equals(writer)) {
                throw new IllegalStateException("the transaction has ended, or is another thread's");
            }
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
            ended = true;
            committed.set(new MemoryTables(this));
        }

        @Override
        public void close() {
            ended = true; // what was not committed is seen by nobody
        }
    }
}
