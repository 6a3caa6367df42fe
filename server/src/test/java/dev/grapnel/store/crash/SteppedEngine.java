package dev.grapnel.store.crash;

import dev.grapnel.store.table.Table;
import dev.grapnel.store.table.TableEngine;
import dev.grapnel.store.table.TableSnapshot;
import dev.grapnel.store.table.WriteTables;
import java.util.TreeSet;

/// An engine whose commits are watched.
public final class SteppedEngine implements TableEngine {
    private final TableEngine engine;
    private final Watch watch;

    /// Sees commits.
    public interface Watch {
        /// Commits, or does not.
        ///
        /// @param changes tables in which rows were set, with a plus, and removed, with a minus
        void commit(String changes, Runnable commit);
    }

    public SteppedEngine(TableEngine engine, Watch watch) {
        this.engine = engine;
        this.watch = watch;
    }

    @Override
    public TableSnapshot pin() {
        return engine.pin();
    }

    @Override
    public WriteTables begin() {
        return new Changes(engine.begin());
    }

    @Override
    public void flush() {
        engine.flush();
    }

    @Override
    public void compact() {
        engine.compact();
    }

    @Override
    public void close() {
        engine.close();
    }

    private final class Changes extends PassingTables {
        private final TreeSet<String> changes = new TreeSet<>();

        Changes(WriteTables tables) {
            super(tables);
        }

        @Override
        public void put(Table table, byte[] key, byte[] value) {
            changes.add(table + "+");
            super.put(table, key, value);
        }

        @Override
        public void put(Table table, long key, byte[] value) {
            changes.add(table + "+");
            super.put(table, key, value);
        }

        @Override
        public boolean remove(Table table, byte[] key) {
            boolean isGone = super.remove(table, key);
            if (isGone) {
                changes.add(table + "-");
            }
            return isGone;
        }

        @Override
        public boolean remove(Table table, long key) {
            boolean isGone = super.remove(table, key);
            if (isGone) {
                changes.add(table + "-");
            }
            return isGone;
        }

        @Override
        public void commit() {
            watch.commit(String.join(" ", changes), super::commit);
        }
    }
}
