package dev.grapnel.sync.home;

import dev.grapnel.nostr.event.Address;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.purgatory.pool.Pools;
import dev.grapnel.store.EventStore;
import dev.grapnel.store.StoreView;
import dev.grapnel.store.row.ExpiredEvent;
import dev.grapnel.store.row.RowKeys;
import dev.grapnel.store.table.Table;
import dev.grapnel.sync.world.Archive.Standing;
import dev.grapnel.sync.world.Archive.StateAuthor;
import java.util.List;
import java.util.stream.Stream;

/// What the event store says by a few keys, in answer to questions of sync.
public final class StoreFacts {
    private final EventStore store;
    private final Pools pools;
    private final boolean honoursDeletions;

    /// @param honoursDeletions whether authors can take back what they published (service 4.9.9)
    public StoreFacts(EventStore store, Pools pools, boolean honoursDeletions) {
        this.store = store;
        this.pools = pools;
        this.honoursDeletions = honoursDeletions;
    }

    /// What became of an event.
    public Standing standing(EventId id) {
        return store.read(view -> standing(id, view));
    }

    private Standing standing(EventId id, StoreView view) {
        if (view.isServed(id)) {
            return Standing.SERVED;
        }
        if (honoursDeletions && view.isDeleted(id)) {
            return Standing.DELETED;
        }
        if (view.isHeld(id)) {
            return Standing.HELD;
        }
        var key = RowKeys.event(id);
        if (view.findRow(Table.EXPIRED_EVENTS, key)
                .filter(row -> !((ExpiredEvent) row).lifted())
                .isPresent()) {
            return Standing.EXPIRED;
        }
        return view.findRow(Table.GATES, key).isPresent() ? Standing.GATED : Standing.UNKNOWN;
    }

    /// Whether an announcement of the repository is served.
    public boolean isAnnounced(RepositoryAddress repository) {
        var address = new Address(
                Kinds.ANNOUNCEMENT, repository.owner(), repository.identifier().text());
        return store.read(view -> view.findCurrent(address).isPresent());
    }

    /// Whether somebody has something here, and no GRASP list.
    public boolean isListless(PublicKey person) {
        var list = new Address(Kinds.GRASP_LIST, person, "");
        return store.read(
                view -> view.hasAnything(person) && view.findCurrent(list).isEmpty());
    }

    /// The addresses of states that are served for a repository: its owner's first, then the maintainers'.
    public List<StateAuthor> stateAuthors(RepositoryAddress repository) {
        return store.read(view -> authors(repository, view)
                .map(author ->
                        new Address(Kinds.STATE, author, repository.identifier().text()))
                .filter(address -> view.findCurrent(address).isPresent())
                .map(address -> new StateAuthor(address.toString()))
                .toList());
    }

    private Stream<PublicKey> authors(RepositoryAddress repository, StoreView view) {
        var members = pools.seenBy(view, repository.identifier())
                .maintainers(repository.owner())
                .members();
        return Stream.concat(Stream.of(repository.owner()), members.stream().sorted())
                .distinct();
    }
}
