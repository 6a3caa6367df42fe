package dev.grapnel.store;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.store.row.Held;
import dev.grapnel.store.row.Row;
import dev.grapnel.store.row.Terms;
import dev.grapnel.store.table.Table;
import java.util.List;
import java.util.Optional;

/// Changes that belong together (purgatory P-701): each is seen by the reads of this transaction, all
/// become durable and visible at once. Valid only while the work runs.
public interface StoreTransaction extends StoreView {
    /// Decides about an event (relay 4.10) and, if it is taken, serves it with all effects.
    SaveOutcome save(Event event);

    /// The same for an event that the operator brings, from a back-up or another relay: a deletion request
    /// is served even if its author has nothing here, so that a copy of a store is a copy.
    SaveOutcome restore(Event event);

    /// Decides about an event that must wait and, if it is taken, holds it. An older held version of an
    /// announcement is replaced; ids remembered as expired are forgotten (purgatory P-121).
    SaveOutcome hold(Held row);

    /// Serves a held event as if it had just arrived, and removes its row whatever the decision is.
    ///
    /// @throws IllegalStateException if it is not held
    SaveOutcome release(EventId id);

    /// Removes a held row: expired, superseded, orphaned. Empty if it was not held.
    Optional<Held> drop(EventId id);

    /// Writes a row. A held one must be held already, with the same event: deadlines, flags and uploads
    /// change this way.
    void put(Row row);

    /// Changes the terms on which an event is held, without writing its row anew; false if it is not held.
    boolean amend(EventId id, Terms terms);

    /// Removes a row that holds no event.
    boolean remove(Table table, Bytes key);

    /// Takes a served event out of service, without a tombstone. False if it is not served.
    boolean withdraw(EventId id);

    /// Refuses an author from now on and removes everything by it, served and held.
    ///
    /// @return the held rows that were removed
    List<Held> ban(PublicKey author, String reason);

    /// Refuses an event from now on and removes it, served or held.
    ///
    /// @return the held row that was removed
    List<Held> ban(EventId event, String reason);

    /// Accepts an author again.
    boolean unban(PublicKey author);

    /// Accepts an event again.
    boolean unban(EventId event);
}
