package dev.grapnel.store;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.Refusal;
import dev.grapnel.nostr.event.Address;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.store.row.Held;
import dev.grapnel.store.row.Row;
import dev.grapnel.store.table.Table;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;

/// One consistent state of the store.
public interface StoreView {
    /// Number of the last commit in it.
    long commitNumber();

    /// Wall time of that commit (purgatory P-722); empty in a new store.
    Optional<Instant> clock();

    /// Whether an event is served and has not expired.
    boolean isServed(EventId id);

    /// A served event that has not expired.
    Optional<StoredEvent> find(EventId id);

    /// The served version of an address, unless it has expired.
    Optional<StoredEvent> findCurrent(Address address);

    /// Whether the author has anything served or held here (service 4.9.1).
    boolean hasAnything(PublicKey author);

    /// Why an event cannot come (back): banned, vanished, deleted (relay 4.10, 2 to 5). Admission asks
    /// before it creates anything.
    Optional<Refusal> findObstacle(Event event);

    /// Whether an event was here, or came, and its author had taken it back. That somebody asked for it is not
    /// enough: anybody can.
    boolean isDeleted(EventId id);

    /// Whether an author took back what one of its addresses had at a date.
    boolean isDeleted(Address address, long createdAt);

    /// Whether an event is held.
    boolean isHeld(EventId id);

    /// A held event.
    Optional<Held> findHeld(EventId id);

    /// A row of purgatory or of a ledger.
    Optional<Row> findRow(Table table, Bytes key);

    /// All rows of a table whose keys begin with a prefix. Damaged ones are left out; [EventStore] sets
    /// them aside when it opens.
    void forEachRow(Table table, Bytes prefix, Consumer<Row> action);

    /// The rows behind a key, ascending, so many at most: less is the end of the table. For those who go through
    /// a long table with one short reading after the other; [Bytes#EMPTY] is in front of all. Damaged ones are
    /// left out.
    List<Row> rowsAfter(Table table, Bytes key, int rowsMax);

    /// How many rows a table has.
    long count(Table table);

    /// How many rows of a table have keys that begin with a prefix, as far as it matters: no more than so
    /// many are counted.
    int countRows(Table table, Bytes prefix, int most);

    /// Shows served events that have not expired, the newest first, as long as the visitor wants more.
    void forEachServed(Lookup lookup, Predicate<StoredEvent> visitor);
}
