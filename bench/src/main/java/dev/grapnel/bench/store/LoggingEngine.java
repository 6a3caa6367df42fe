package dev.grapnel.bench.store;

import dev.grapnel.bench.store.TableLog.Change;
import dev.grapnel.nostr.Bytes;
import dev.grapnel.store.table.ListCursor;
import dev.grapnel.store.table.Postings;
import dev.grapnel.store.table.RowCursor;
import dev.grapnel.store.table.Table;
import dev.grapnel.store.table.TableEngine;
import dev.grapnel.store.table.TableSnapshot;
import dev.grapnel.store.table.WriteTables;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// Passes everything on and keeps a log of the writes.
record LoggingEngine(TableEngine engine, TableLog log) implements TableEngine {
    @Override
    public TableSnapshot pin() {
        return engine.pin();
    }

    @Override
    public WriteTables begin() {
        return new Logged(engine.begin(), log);
    }

    @Override
    public void flush() {
        engine.flush();
    }

    @Override
    public void close() {
        engine.close();
    }

    private record Logged(WriteTables tables, TableLog log) implements WriteTables {
        private static Bytes number(long key) {
            return Bytes.wrap(ByteBuffer.allocate(Long.BYTES).putLong(key).array());
        }

        @Override
        public void put(Table table, byte[] key, byte[] value) {
            log.add(new Change.Put(table, Bytes.wrap(key), Bytes.wrap(value)));
            tables.put(table, key, value);
        }

        @Override
        public void put(Table table, long key, byte[] value) {
            log.add(new Change.Put(table, number(key), Bytes.wrap(value)));
            tables.put(table, key, value);
        }

        @Override
        public boolean remove(Table table, byte[] key) {
            log.add(new Change.Removed(table, Bytes.wrap(key)));
            return tables.remove(table, key);
        }

        @Override
        public boolean remove(Table table, long key) {
            log.add(new Change.Removed(table, number(key)));
            return tables.remove(table, key);
        }

        @Override
        public boolean add(Table table, byte[] key, long high, long low) {
            log.add(new Change.Added(table, Bytes.wrap(key), high, low));
            return tables.add(table, key, high, low);
        }

        @Override
        public boolean remove(Table table, byte[] key, long high, long low) {
            log.add(new Change.Taken(table, Bytes.wrap(key), high, low));
            return tables.remove(table, key, high, low);
        }

        @Override
        public void commit() {
            tables.commit();
        }

        @Override
        public void close() {
            tables.close();
        }

        @Override
        public byte @Nullable [] find(Table table, byte[] key) {
            return tables.find(table, key);
        }

        @Override
        public byte @Nullable [] find(Table table, long key) {
            return tables.find(table, key);
        }

        @Override
        public RowCursor rows(Table table, byte[] from) {
            return tables.rows(table, from);
        }

        @Override
        public Postings postings(Table table, byte[] key) {
            return tables.postings(table, key);
        }

        @Override
        public ListCursor lists(Table table, byte[] from) {
            return tables.lists(table, from);
        }

        @Override
        public long count(Table table) {
            return tables.count(table);
        }
    }
}
