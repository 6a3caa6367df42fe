package dev.grapnel.store;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.store.row.Held;
import dev.grapnel.store.row.Row;
import dev.grapnel.store.row.Terms;
import dev.grapnel.store.table.Table;

/// Follows every change inside the transactions of a store, so that what somebody keeps in memory is at
/// each moment what the transaction sees, and adds what follows from the changes to the same transaction.
/// Called by the writer alone, which waits for it: it must be quick and wait for nothing.
///
/// Whatever a follower throws undoes the work that was just run.
public interface StoreFollower {
    /// For a store that nobody follows.
    StoreFollower NONE = new StoreFollower() {};

    /// An event is served from now on.
    default void served(Event event) {}

    /// An event is served no more.
    default void left(Event event, Removal.Reason reason) {}

    /// An event is held from now on, or its row has changed.
    default void held(Held row) {}

    /// An event is held on other terms.
    default void amended(EventId id, Table table, Bytes key, Terms terms) {}

    /// An event is held no more: released, replaced or removed.
    default void dropped(Held row) {}

    /// A row that holds no event was written. Those of the store's own book-keeping are not told.
    default void put(Row row) {}

    /// A row that holds no event was removed.
    default void removed(Table table, Bytes key) {}

    /// A work is done. What follows from it is added here; changes made here are told like others.
    default void conclude(StoreTransaction transaction) {}

    /// Everything since the last such call is durable; nobody was told yet.
    default void committed() {}

    /// Nothing since the last such call has happened.
    default void abandoned() {}
}
