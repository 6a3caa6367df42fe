package dev.grapnel.store.crash;

import dev.grapnel.store.table.StoreFailure;
import dev.grapnel.store.table.Table;
import dev.grapnel.store.table.TableEngine;
import dev.grapnel.store.table.TableSnapshot;
import dev.grapnel.store.table.WriteTables;
import java.util.function.Supplier;

/// An engine on a device that can be told to fail.
public final class FailingEngine implements TableEngine {
    private final TableEngine engine;
    private volatile Fault fault = Fault.NONE;
    private volatile Supplier<? extends RuntimeException> problem = FailingEngine::full;

    /// What the device does not do.
    public enum Fault {
        NONE,
        /// No transaction can be begun.
        BEGIN,
        /// There is no room for a change.
        CHANGE,
        /// There is no room for what a commit writes, or the device does not take what was written (fsync).
        COMMIT,
        /// Commits succeed; what they leave to be flushed later cannot be.
        FLUSH,
        /// The file cannot be written anew.
        COMPACT
    }

    public FailingEngine(TableEngine engine) {
        this.engine = engine;
    }

    public void set(Fault now) {
        fault = now;
    }

    /// Fails in a way that nobody foresaw.
    void set(Fault now, Supplier<? extends RuntimeException> unforeseen) {
        problem = unforeseen;
        fault = now;
    }

    private static StoreFailure full() {
        return new StoreFailure("no space left on the device");
    }

    private void failOn(Fault now) {
        if (fault == now) {
            throw problem.get();
        }
    }

    @Override
    public TableSnapshot pin() {
        return engine.pin();
    }

    @Override
    public WriteTables begin() {
        failOn(Fault.BEGIN);
        return new Changes(engine.begin());
    }

    @Override
    public void flush() {
        failOn(Fault.FLUSH);
        engine.flush();
    }

    @Override
    public void compact() {
        failOn(Fault.COMPACT);
        engine.compact();
    }

    @Override
    public void close() {
        engine.close();
    }

    /// Everything is written to the tables below; what fails is never committed there.
    private final class Changes extends PassingTables {
        Changes(WriteTables tables) {
            super(tables);
        }

        @Override
        public void put(Table table, byte[] key, byte[] value) {
            super.put(table, key, value);
            failOn(Fault.CHANGE);
        }

        @Override
        public void put(Table table, long key, byte[] value) {
            super.put(table, key, value);
            failOn(Fault.CHANGE);
        }

        @Override
        public void commit() {
            failOn(Fault.COMMIT);
            super.commit();
        }
    }
}
