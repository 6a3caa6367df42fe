package dev.grapnel.store.table;

/// The state of the tables after one commit, until it is closed or was held too long.
public interface TableSnapshot extends ReadTables, AutoCloseable {
    @Override
    void close();
}
