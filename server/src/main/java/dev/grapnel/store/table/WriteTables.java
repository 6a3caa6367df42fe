package dev.grapnel.store.table;

/// Changes of all tables that become visible and durable together. Reads see the changes made so far. Belongs to the
/// one writer thread; closing without [#commit] undoes everything.
public interface WriteTables extends ReadTables, AutoCloseable {
    /// Sets a row.
    void put(Table table, byte[] key, byte[] value);

    /// Sets a row whose key is this number in eight bytes, big-endian.
    void put(Table table, long key, byte[] value);

    /// Removes a row; false if there was none.
    boolean remove(Table table, byte[] key);

    /// Removes a row whose key is this number.
    boolean remove(Table table, long key);

    /// Adds a posting to the list of a key; false if it was there.
    boolean add(Table table, byte[] key, long high, long low);

    /// Takes a posting out of the list of a key; false if it was not there.
    boolean remove(Table table, byte[] key, long high, long low);

    /// Makes the changes visible, and durable as the engine was told to.
    ///
    /// @throws StoreFailure if that failed: then nothing has changed
    void commit();

    @Override
    void close();
}
