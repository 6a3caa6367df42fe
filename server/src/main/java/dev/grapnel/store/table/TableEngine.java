package dev.grapnel.store.table;

/// An embedded database.
public interface TableEngine extends AutoCloseable {
    /// The state after the last commit. Any thread; never waits for the writer. To be closed soon: an engine
    /// may end a snapshot that is held for long, because it keeps old pages alive.
    TableSnapshot pin();

    /// Begins changes. Only one at a time, always from the same thread.
    ///
    /// @throws StoreFailure if the database cannot be written to now
    WriteTables begin();

    /// Writes to the device what commits have left in the system's memory, if the engine does not do so by
    /// itself.
    ///
    /// @throws StoreFailure if that failed
    void flush();

    /// Writes everything anew without what was removed, so that the bytes of it are gone. By the writer's
    /// thread, between transactions; readers go on. An engine that keeps nothing of what was removed has
    /// nothing to do.
    ///
    /// @throws StoreFailure if that failed: then everything is as it was
    default void compact() {}

    @Override
    void close();
}
