package dev.grapnel.purgatory;

import dev.grapnel.git.Hosting;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.nostr.repository.Proposal;
import dev.grapnel.nostr.repository.RefName;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.nostr.repository.RepositoryState;
import dev.grapnel.purgatory.pool.Announced;
import dev.grapnel.purgatory.pool.Pool;
import dev.grapnel.purgatory.pool.Pools;
import dev.grapnel.store.EventStore;
import dev.grapnel.store.row.Repair;
import dev.grapnel.store.row.RowKeys;
import dev.grapnel.store.table.Table;
import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.function.Consumer;

/// Which repositories there are, as events say.
public final class AnnouncedHosting implements Hosting {
    /// Of a repository that only waits nothing is shown, whatever is in it (README I-1).
    private static final Hosted WAITING = Hosted.NOTHING;

    private final EventStore store;
    private final Pools pools;
    private final Consumer<RepositoryAddress> restoring;

    /// For those who only look.
    public AnnouncedHosting(EventStore store, Pools pools) {
        this(store, pools, _ -> {});
    }

    /// @param restoring brings back a repository whose directory has vanished
    public AnnouncedHosting(EventStore store, Pools pools, Consumer<RepositoryAddress> restoring) {
        this.store = store;
        this.pools = pools;
        this.restoring = restoring;
    }

    @Override
    public Optional<Hosted> find(RepositoryAddress address) {
        var pool = pools.of(address.identifier());
        return pool.findAnnounced(address.owner())
                .filter(Announced::hasRepository)
                .map(entry -> entry.carries() ? new Hosted(new Unexplained(store, pool), true) : WAITING);
    }

    /// A proposal's ref is shown once the proposal is, and only at the commit that it proposes. Equal as long as
    /// nothing of its identifier has changed.
    private record Unexplained(EventStore store, Pool pool) implements BiPredicate<RefName, Oid> {
        @Override
        public boolean test(RefName ref, Oid target) {
            if (!ref.text().startsWith(RefName.PROPOSALS)) {
                return !ref.isBranch() && !ref.isTag(); // no event ever speaks of others
            }
            return EventId.parse(ref.text().substring(RefName.PROPOSALS.length()))
                    .find()
                    .flatMap(id -> store.read(view -> view.find(id)))
                    .filter(event -> event.kind() == Kinds.PULL_REQUEST || event.kind() == Kinds.PULL_REQUEST_UPDATE)
                    .flatMap(event -> Targets.read(event.read()).find())
                    .flatMap(Proposal::tip)
                    .filter(target::equals)
                    .isEmpty();
        }
    }

    @Override
    public Collection<RepositoryAddress> named(Identifier identifier) {
        return pools.of(identifier).announced().stream()
                .filter(Announced::hasRepository)
                .map(entry -> new RepositoryAddress(entry.author(), identifier))
                .toList();
    }

    /// The newest state of a maintainer decides, if it can be true at all.
    @Override
    public boolean declaresRefs(RepositoryAddress address) {
        var pool = pools.of(address.identifier());
        return pool.findAnnounced(address.owner()).filter(Announced::carries).isPresent()
                && store.read(view -> ServedStates.of(address.identifier(), view)).stream()
                        .filter(state -> state.isSatisfiable() && pool.isMember(state.author(), address.owner()))
                        .max(Comparator.comparing(RepositoryState::version))
                        .filter(state -> !state.isEmpty())
                        .isPresent();
    }

    /// What failed waits for its next attempt, however many ask.
    @Override
    public boolean isToBeRestored(RepositoryAddress address) {
        var now = pools.time().wall();
        return store.read(view -> view.findRow(Table.REPAIRS, RowKeys.repository(address)))
                .filter(row -> !((Repair) row).nextAttempt().isAfter(now))
                .isPresent();
    }

    @Override
    public void restore(RepositoryAddress address) {
        restoring.accept(address);
    }

    @Override
    public int count() {
        var total = pools.total();
        return total.hosted() + total.withdrawn() + total.active();
    }
}
