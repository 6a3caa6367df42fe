package dev.grapnel.purgatory.pool;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.store.Removal;
import dev.grapnel.store.StoreFollower;
import dev.grapnel.store.StoreTransaction;
import dev.grapnel.store.row.Held;
import dev.grapnel.store.row.Row;
import dev.grapnel.store.row.RowKeys;
import dev.grapnel.store.row.Standing;
import dev.grapnel.store.row.Terms;
import dev.grapnel.store.table.Table;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Keeps the pools equal to what the store's transactions see.
public final class PoolFollower implements StoreFollower {
    /// Follow-ups of a work may have follow-ups of their own, but those end: whatever is removed cannot be
    /// removed again.
    private static final int ROUNDS_MAX = 100;

    private final Pools pools;
    private final Consequences consequences;
    private final Map<EventId, Removal.Reason> departed = new HashMap<>();
    private final List<Departure> departures = new ArrayList<>();
    private final List<Bytes> endedTrash = new ArrayList<>();
    private boolean isLoaded;

    private record Departure(Event event, Removal.Reason reason) {}

    /// What follows from changes.
    public interface Consequences {
        /// Adds what follows from a work to its transaction.
        ///
        /// @param departed announcements that left service in this work, and why
        void follow(List<PoolChange> changes, Map<EventId, Removal.Reason> departed, StoreTransaction transaction);

        /// A state or a proposal left service in the present work.
        void left(Event event, Removal.Reason reason, StoreTransaction transaction);

        /// What left service with its repository is trash no more: it is back, or gone for good.
        void trashEnded(Identifier identifier, EventId id, StoreTransaction transaction);

        /// The present work and everything that follows from it is done.
        void workDone();

        /// Everything is durable now, which concerns these identifiers. Called by the writer: it must be
        /// quick.
        void published(List<Identifier> changed);

        /// Nothing of it has happened.
        void abandoned();
    }

    public PoolFollower(Pools pools, Consequences consequences) {
        this.pools = pools;
        this.consequences = consequences;
    }

    /// Reads everything; to be given to a store as its first work.
    public void load(StoreTransaction transaction) {
        pools.forget();
        pools.load(transaction);
        isLoaded = true;
    }

    @Override
    public void served(Event event) {
        if (isLoaded) {
            pools.served(event);
            touch(event);
        }
    }

    @Override
    public void left(Event event, Removal.Reason reason) {
        if (isLoaded && event.kind() == Kinds.ANNOUNCEMENT) {
            pools.left(event);
            departed.put(event.id(), reason);
        } else if (isLoaded && saysSomethingAboutRefs(event)) {
            pools.touch(event);
            departures.add(new Departure(event, reason));
        }
    }

    private void touch(Event event) {
        if (saysSomethingAboutRefs(event)) {
            pools.touch(event);
        }
    }

    private static boolean saysSomethingAboutRefs(Event event) {
        return switch (event.kind()) {
            case Kinds.STATE, Kinds.PULL_REQUEST, Kinds.PULL_REQUEST_UPDATE -> true;
            default -> false;
        };
    }

    @Override
    public void held(Held row) {
        if (isLoaded) {
            pools.held(row);
        }
    }

    @Override
    public void amended(EventId id, Table table, Bytes key, Terms terms) {
        if (isLoaded) {
            pools.amended(id, table, key, terms);
        }
    }

    @Override
    public void dropped(Held row) {
        if (isLoaded) {
            pools.dropped(row);
        }
    }

    @Override
    public void put(Row row) {
        if (isLoaded && row instanceof Standing standing) {
            pools.stand(standing);
        }
    }

    @Override
    public void removed(Table table, Bytes key) {
        if (isLoaded && table == Table.REPOSITORIES) {
            pools.standsNoMore(key);
        } else if (isLoaded && table == Table.TRASHED_EVENTS) {
            endedTrash.add(key);
        }
    }

    @Override
    public void conclude(StoreTransaction transaction) {
        for (int round = 0; round < ROUNDS_MAX; round++) {
            var changes = pools.takeChanges();
            var left = List.copyOf(departures);
            departures.clear();
            var ended = List.copyOf(endedTrash);
            endedTrash.clear();
            if (changes.isEmpty() && left.isEmpty() && ended.isEmpty()) {
                departed.clear();
                consequences.workDone();
                return;
            }
            consequences.follow(changes, Map.copyOf(departed), transaction);
            left.forEach(gone -> consequences.left(gone.event(), gone.reason(), transaction));
            ended.forEach(key ->
                    consequences.trashEnded(RowKeys.parseStateIdentifier(key), RowKeys.parseStateId(key), transaction));
        }
        throw new IllegalStateException("what follows from a work does not end");
    }

    @Override
    public void committed() {
        consequences.published(pools.publish());
    }

    @Override
    public void abandoned() {
        pools.forget();
        departed.clear();
        departures.clear();
        endedTrash.clear();
        consequences.abandoned();
    }
}
