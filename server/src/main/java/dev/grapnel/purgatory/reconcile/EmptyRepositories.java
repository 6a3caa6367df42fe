package dev.grapnel.purgatory.reconcile;

import dev.grapnel.git.repository.Repositories;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.nostr.repository.RepositoryState;
import dev.grapnel.purgatory.ServedStates;
import dev.grapnel.purgatory.pool.Announced;
import dev.grapnel.purgatory.pool.Pools;
import dev.grapnel.store.EventStore;
import dev.grapnel.store.StoreTransaction;
import dev.grapnel.store.StoreView;
import dev.grapnel.store.StoredEvent;
import dev.grapnel.store.Urgency;
import dev.grapnel.store.row.HeldState;
import dev.grapnel.store.row.Row;
import dev.grapnel.store.row.RowKeys;
import dev.grapnel.store.table.Table;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/// Announcements without repository and repositories without announcement (service 10.4), while no server runs.
///
/// What waits, what was withdrawn, what is only referred to and what is in the trash may lack the other half by
/// design, and is never looked at.
public final class EmptyRepositories {
    private final EventStore store;
    private final Pools pools;
    private final Repositories repositories;
    private final ObjectExamination.Pools objects;
    private final StagedObjects staged;

    public EmptyRepositories(
            EventStore store,
            Pools pools,
            Repositories repositories,
            ObjectExamination.Pools objects,
            StagedObjects staged) {
        this.store = store;
        this.pools = pools;
        this.repositories = repositories;
        this.objects = objects;
        this.staged = staged;
    }

    /// What was found.
    public sealed interface Found {
        RepositoryAddress repository();

        /// An announcement is served, and there is no ref.
        ///
        /// @param isMissing whether the directory is not there either
        /// @param governing the state that says there should be some
        record Announced(RepositoryAddress repository, boolean isMissing, Optional<EventId> governing)
                implements Found {}

        /// A repository that nobody announces.
        ///
        /// @param refs how many it has
        record Orphan(RepositoryAddress repository, int refs) implements Found {}

        /// What the directory says could not be read, so nothing is known.
        record Unreadable(RepositoryAddress repository, String reason) implements Found {}
    }

    /// What became of something that was removed.
    ///
    /// @param events how many are not served or held any more
    public record Removed(int events) {}

    /// How many repositories there should be, and are.
    public record Extent(int announced, int onDisk) {}

    /// How much there is to look at.
    ///
    /// @throws IOException if the repositories cannot be listed
    public Extent extent() throws IOException {
        int announced = (int) pools.all().stream()
                .flatMap(pool -> pool.announced().stream())
                .filter(EmptyRepositories::isExpected)
                .count();
        return new Extent(announced, repositories.list().size());
    }

    /// Looks at everything, and changes nothing.
    ///
    /// @throws IOException if the repositories cannot be listed
    public List<Found> find() throws IOException {
        var found = new ArrayList<Found>();
        for (var pool : pools.all()) {
            for (var entry : pool.announced()) {
                if (isExpected(entry)) {
                    lookAtAnnounced(new RepositoryAddress(entry.author(), pool.identifier()))
                            .ifPresent(found::add);
                }
            }
        }
        for (var address : repositories.list()) {
            if (pools.of(address.identifier()).findAnnounced(address.owner()).isEmpty()) {
                found.add(lookAtOrphan(address));
            }
        }
        found.sort((a, b) -> a.repository().compareTo(b.repository()));
        return found;
    }

    /// Whether it is served and takes pushes, and no other version waits that would want the repository.
    private static boolean isExpected(Announced entry) {
        return entry.isServedHosted() && entry.held().isEmpty();
    }

    private Optional<Found> lookAtAnnounced(RepositoryAddress address) {
        try {
            var refs = countRefs(address);
            if (refs.orElse(0) > 0) {
                return Optional.empty();
            }
            var governing = findGoverning(address);
            return governing.filter(RepositoryState::isEmpty).isPresent()
                    ? Optional.empty()
                    : Optional.of(new Found.Announced(
                            address,
                            refs.isEmpty(),
                            governing.map(state -> state.event().id())));
        } catch (IOException e) {
            return Optional.of(new Found.Unreadable(address, e.toString()));
        }
    }

    private Found lookAtOrphan(RepositoryAddress address) {
        try {
            return new Found.Orphan(address, countRefs(address).orElse(0));
        } catch (IOException e) {
            return new Found.Unreadable(address, e.toString());
        }
    }

    /// Nothing if there is no repository.
    private OptionalInt countRefs(RepositoryAddress address) throws IOException {
        try (var lease = repositories.find(address).orElse(null)) {
            return lease == null
                    ? OptionalInt.empty()
                    : OptionalInt.of(lease.refs().current().values().size());
        }
    }

    private Optional<RepositoryState> findGoverning(RepositoryAddress address) throws IOException {
        var identifier = address.identifier();
        var situation = store.read(view -> Situation.read(identifier, view, pools));
        try (var examination =
                new ObjectExamination(situation.pool(), objects, staged.of(identifier), Optional.empty(), Set.of())) {
            return Plan.of(situation, examination).goals().stream()
                    .filter(goal -> goal.owner().equals(address.owner()))
                    .findFirst()
                    .flatMap(Plan.Goal::winner);
        }
    }

    /// Removes what was found, events first: what a kill leaves is a directory that nobody announces.
    ///
    /// @throws IOException if the directory could not be deleted
    public Removed remove(Found found) throws IOException {
        var address = found.repository();
        var removed = switch (found) {
            case Found.Announced _ ->
                store.write(Urgency.WAITING, 0, transaction -> forget(address, transaction))
                        .join();
            case Found.Orphan _ -> new Removed(0);
            case Found.Unreadable _ ->
                throw new IllegalArgumentException("nobody knows what is in " + found.repository());
        };
        repositories.remove(address);
        return removed;
    }

    private static Removed forget(RepositoryAddress address, StoreTransaction transaction) {
        int events = 0;
        for (var id : servedOf(address, transaction)) {
            events += transaction.withdraw(id) ? 1 : 0;
        }
        var held = new ArrayList<EventId>();
        transaction.forEachRow(Table.HELD_STATES, RowKeys.statesOf(address.identifier()), row -> {
            if (row instanceof HeldState state && state.event().author().equals(address.owner())) {
                held.add(state.event().id());
            }
        });
        for (var id : held) {
            events += transaction.drop(id).isPresent() ? 1 : 0;
        }
        var records = new ArrayList<Row>();
        transaction.forEachRow(Table.TRASH, RowKeys.trashOf(address), records::add);
        records.forEach(row -> transaction.remove(row.table(), row.key()));
        transaction.remove(Table.REPAIRS, RowKeys.repository(address));
        transaction.remove(Table.REPOSITORIES, RowKeys.repository(address));
        return new Removed(events);
    }

    private static List<EventId> servedOf(RepositoryAddress address, StoreView view) {
        var ids = new ArrayList<EventId>();
        view.findCurrent(address.announcement()).map(StoredEvent::id).ifPresent(ids::add);
        ServedStates.of(address.identifier(), view).stream()
                .filter(state -> state.author().equals(address.owner()))
                .map(state -> state.event().id())
                .forEach(ids::add);
        return ids;
    }
}
