package dev.grapnel.store.crash;

import dev.grapnel.store.table.ListCursor;
import dev.grapnel.store.table.Postings;
import dev.grapnel.store.table.RowCursor;
import dev.grapnel.store.table.Table;
import dev.grapnel.store.table.WriteTables;
import org.jspecify.annotations.Nullable;

/// Changes that are made to the tables below.
class PassingTables implements WriteTables {
    private final WriteTables tables;

    PassingTables(WriteTables tables) {
        this.tables = tables;
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

    @Override
    public void put(Table table, byte[] key, byte[] value) {
        tables.put(table, key, value);
    }

    @Override
    public void put(Table table, long key, byte[] value) {
        tables.put(table, key, value);
    }

    @Override
    public boolean remove(Table table, byte[] key) {
        return tables.remove(table, key);
    }

    @Override
    public boolean remove(Table table, long key) {
        return tables.remove(table, key);
    }

    @Override
    public boolean add(Table table, byte[] key, long high, long low) {
        return tables.add(table, key, high, low);
    }

    @Override
    public boolean remove(Table table, byte[] key, long high, long low) {
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
}
