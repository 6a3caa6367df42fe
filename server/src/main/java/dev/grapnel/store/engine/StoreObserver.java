package dev.grapnel.store.engine;

import java.time.Duration;
import java.util.List;

/// Hears what the operator should know about the store. Called from any thread; must not wait.
public interface StoreObserver {
    /// Stored bytes are not what was written; what they belonged to is left out.
    void damaged(String where);

    /// A damaged row was moved into a file beside the store (purgatory P-703).
    void setAside(String row, String file);

    /// The store cannot be written to; every write is refused until it can again.
    void refusing(String reason);

    /// The store can be written to again.
    void writing();

    /// The file was written anew, so that what somebody asked to be forgotten is gone (relay 4.7).
    default void compacted() {}

    /// That failed; it is tried again within the hour.
    default void compactionFailed(String reason) {}

    /// Gates came and went.
    default void gatesChanged(GateTally tally) {}

    /// Transactions about what waits, or was taken back, are durable.
    ///
    /// @param kinds what each was for
    /// @param took how long the commit took that they shared
    default void committed(List<TransactionKind> kinds, Duration took) {}

    /// A pass over deletion requests has begun.
    default void ageingBegun() {}

    /// A step of it was committed.
    default void requestsAged(RequestTally tally) {}

    /// It could not do something, or anything; the next pass tries again.
    default void ageingFailed(String reason) {}
}
