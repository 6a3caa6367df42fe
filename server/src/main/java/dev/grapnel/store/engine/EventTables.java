package dev.grapnel.store.engine;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.store.Removal;
import dev.grapnel.store.StoreFollower;
import dev.grapnel.store.table.StoreDamage;
import dev.grapnel.store.table.Table;
import dev.grapnel.store.table.WriteTables;
import java.util.ArrayList;
import java.util.List;

/// Writes and removes served events with all their index entries, and counts commits. Belongs to one
/// transaction.
final class EventTables {
    private final WriteTables tables;
    private long number;
    private long removals;
    private final StoreFollower follower;
    private long removedBytes;
    private int ordinal;

    EventTables(WriteTables tables, StoreFollower follower) {
        this.tables = tables;
        this.follower = follower;
        this.number = Meta.NUMBER.read(tables);
    }

    /// The last commit number given out.
    long number() {
        return number;
    }

    /// How many events were removed since the transaction began.
    long removals() {
        return removals;
    }

    /// Bytes of the events that were removed since the transaction began.
    long removedBytes() {
        return removedBytes;
    }

    /// Takes the next commit number. What is removed from now on belongs to it.
    long takeNumber() {
        ordinal = 0;
        return ++number;
    }

    /// Adds an event under the number that was taken last.
    void insert(Event event) {
        var posting = Posting.of(event.createdAt(), event.id(), number);
        tables.put(Table.EVENTS, number, EventRecord.encode(number, event));
        tables.put(Table.NUMBERS, number, event.id().toBytes());
        EventIndex.forEach(event, (table, key) -> tables.add(table, key, posting.high(), posting.low()));
        follower.served(event);
    }

    /// Removes an event; it leaves under the number that was taken last.
    void remove(long eventNumber, Removal.Reason reason) {
        var bytes = tables.find(Table.EVENTS, eventNumber);
        if (bytes == null) {
            throw new StoreDamage("an index names event number " + eventNumber + ", which is not there");
        }
        var event = EventRecord.read(eventNumber, bytes).event().read();
        var posting = Posting.of(event.createdAt(), event.id(), eventNumber);
        EventIndex.forEach(event, (table, key) -> tables.remove(table, key, posting.high(), posting.low()));
        tables.remove(Table.EVENTS, eventNumber);
        tables.remove(Table.NUMBERS, eventNumber);
        RemovalRows.write(tables, number, ordinal++, removalOf(event, reason));
        removals++;
        follower.left(event, reason);
        removedBytes += bytes.length;
    }

    private static Removal removalOf(Event event, Removal.Reason reason) {
        var identifier =
                event.findAddress().map(address -> address.identifier()).orElse("");
        return new Removal(event.id(), event.author(), event.kind(), event.createdAt(), identifier, reason);
    }

    /// The numbers of a list's events, from the newest that is not after a date on.
    List<Long> numbersUntil(Table table, byte[] key, long createdAt) {
        var numbers = new ArrayList<Long>();
        var postings = tables.postings(table, key);
        for (postings.seek(Posting.firstAt(createdAt), 0); !postings.isDone(); postings.next()) {
            numbers.add(Posting.number(postings.low()));
        }
        return numbers;
    }

    void finish() {
        Meta.NUMBER.write(tables, number);
    }
}
