package dev.grapnel.purgatory;

import dev.grapnel.git.Hosting;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.RefName;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.purgatory.pool.Announced;
import dev.grapnel.purgatory.pool.Pools;
import dev.grapnel.store.EventStore;
import java.util.Collection;
import java.util.Optional;
import java.util.function.Predicate;

/// Which repositories there are, as events say.
public final class AnnouncedHosting implements Hosting {
    /// Of a repository that only waits nothing is shown, whatever is in it (README I-1).
    private static final Hosted WAITING = new Hosted(_ -> true, false);

    private final EventStore store;
    private final Pools pools;
    private final Predicate<RefName> hidden;
    private final Hosted open;

    public AnnouncedHosting(EventStore store, Pools pools) {
        this.store = store;
        this.pools = pools;
        this.hidden = this::isUnexplained;
        this.open = new Hosted(hidden, false);
    }

    @Override
    public Optional<Hosted> find(RepositoryAddress address) {
        return pools.of(address.identifier())
                .findAnnounced(address.owner())
                .filter(Announced::hasRepository)
                .map(entry -> entry.carries() ? open : WAITING);
    }

    /// A proposal's ref is shown once the proposal is.
    private boolean isUnexplained(RefName ref) {
        if (!ref.text().startsWith(RefName.PROPOSALS)) {
            return false;
        }
        return EventId.parse(ref.text().substring(RefName.PROPOSALS.length()))
                .find()
                .flatMap(id -> store.read(view -> view.find(id)))
                .filter(event -> event.kind() == Kinds.PULL_REQUEST || event.kind() == Kinds.PULL_REQUEST_UPDATE)
                .isEmpty();
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
