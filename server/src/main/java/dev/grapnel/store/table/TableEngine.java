package dev.grapnel.store.table;

/// An embedded database.
public interface TableEngine extends AutoCloseable {
    /// The state after the last commit. Any thread; never waits for the writer. To be closed soon: an engine may end a
    /// snapshot that is held for long, because it keeps old pages alive.
    TableSnapshot pin();

    /// Begins changes. Only one at a time, always from the same thread.
    ///
    /// @throws StoreFailure if the database cannot be written to now
    WriteTables begin();

    /// Writes to the device what commits have left in the system's memory, if the engine does not do so by itself.
    ///
    /// @throws StoreFailure if that failed
    void flush();

    @Override
    void close();
}
