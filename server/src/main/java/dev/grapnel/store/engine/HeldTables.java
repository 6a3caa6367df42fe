package dev.grapnel.store.engine;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.Word256;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.store.StoreFollower;
import dev.grapnel.store.row.ExpiredEvent;
import dev.grapnel.store.row.Held;
import dev.grapnel.store.row.Terms;
import dev.grapnel.store.table.Table;
import dev.grapnel.store.table.WriteTables;
import java.util.ArrayList;
import java.util.List;

/// Held events in their tables: each row, and the two indexes that find it by event and by author, change
/// together.
final class HeldTables {
    /// The order is written to disk.
    static final List<Table> ALL = List.of(Table.HELD_ANNOUNCEMENTS, Table.HELD_STATES, Table.HELD_PROPOSALS);

    private final WriteTables tables;
    private final TableView view;
    private final StoreFollower follower;

    HeldTables(WriteTables tables, TableView view, StoreFollower follower) {
        this.tables = tables;
        this.view = view;
        this.follower = follower;
    }

    /// Holds an event; returns the row whose place it took.
    List<Held> put(Held row) {
        var replaced = RowTables.find(tables, row.table(), row.key()).map(old -> (Held) old).stream()
                .toList();
        replaced.forEach(this::remove);
        var id = row.event().id();
        RowTables.put(tables, row);
        tables.put(Table.HELD_IDS, id.toBytes(), HeldPlace.of(row).encode());
        tables.put(Table.HELD_AUTHORS, authorKey(row), new byte[0]);
        forgetExpired(id);
        follower.held(row);
        return replaced;
    }

    /// A row that was lifted refuses nothing any more, but must go on counting (purgatory P-121).
    private void forgetExpired(EventId id) {
        RowTables.find(tables, Table.EXPIRED_EVENTS, Bytes.wrap(id.toBytes()))
                .filter(row -> row instanceof ExpiredEvent expired && !expired.lifted())
                .ifPresent(_ -> tables.remove(Table.EXPIRED_EVENTS, id.toBytes()));
    }

    /// It is served: that it once expired does not matter any more (purgatory P-121).
    void forget(EventId id) {
        tables.remove(Table.EXPIRED_EVENTS, id.toBytes());
    }

    /// Changes the row of an event that is held already.
    void change(Held row) {
        var before = view.findHeld(row.event().id());
        if (before.isEmpty() || !before.get().key().equals(row.key())) {
            throw new IllegalStateException(row.event().id() + " is not held under this key");
        }
        RowTables.put(tables, row);
        HeldTerms.remove(tables, row.event().id());
        follower.held(row);
    }

    /// Changes the terms on which an event is held; false if it is not.
    boolean amend(EventId id, Terms terms) {
        var place = view.findHeldPlace(id);
        place.ifPresent(found -> {
            HeldTerms.put(tables, id, terms);
            follower.amended(id, found.table(), found.key(), terms);
        });
        return place.isPresent();
    }

    void remove(Held row) {
        tables.remove(row.table(), row.key().toArray());
        tables.remove(Table.HELD_IDS, row.event().id().toBytes());
        tables.remove(Table.HELD_AUTHORS, authorKey(row));
        HeldTerms.remove(tables, row.event().id());
        follower.dropped(row);
    }

    /// Everything held of an author.
    List<Held> of(PublicKey author) {
        if (tables.count(Table.HELD_AUTHORS) == 0) {
            return List.of();
        }
        var prefix = author.toBytes();
        var ids = new ArrayList<EventId>();
        var rows = tables.rows(Table.HELD_AUTHORS, prefix);
        while (rows.next() && Keys.startsWith(rows.key(), prefix)) {
            ids.add(Keys.idIn(rows.key(), Word256.BYTES));
        }
        return ids.stream().flatMap(id -> view.findHeld(id).stream()).toList();
    }

    static byte[] authorKey(Held row) {
        return Keys.join(row.event().author().toBytes(), row.event().id().toBytes());
    }
}
