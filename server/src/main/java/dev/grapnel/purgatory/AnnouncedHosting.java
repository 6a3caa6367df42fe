package dev.grapnel.purgatory;

import dev.grapnel.git.Hosting;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.nostr.repository.Proposal;
import dev.grapnel.nostr.repository.RefName;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.purgatory.pool.Announced;
import dev.grapnel.purgatory.pool.Pool;
import dev.grapnel.purgatory.pool.Pools;
import dev.grapnel.store.EventStore;
import java.util.Collection;
import java.util.Optional;
import java.util.function.BiPredicate;

/// Which repositories there are, as events say.
public final class AnnouncedHosting implements Hosting {
    /// Of a repository that only waits nothing is shown, whatever is in it (README I-1).
    private static final Hosted WAITING = Hosted.NOTHING;

    private final EventStore store;
    private final Pools pools;

    public AnnouncedHosting(EventStore store, Pools pools) {
        this.store = store;
        this.pools = pools;
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

    @Override
    public int count() {
        var total = pools.total();
        return total.hosted() + total.withdrawn() + total.active();
    }
}
