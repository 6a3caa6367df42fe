package dev.grapnel.sync.sim;

import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.repository.Announcement;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.outbound.RemoteUrl;
import dev.grapnel.purgatory.pool.Announced;
import dev.grapnel.purgatory.pool.Pool;
import dev.grapnel.purgatory.pool.Pools;
import dev.grapnel.store.EventStore;
import dev.grapnel.sync.world.PurgatoryView;
import dev.grapnel.sync.world.Scheduler;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Purgatory of a node as sync sees it.
final class NodePurgatory implements PurgatoryView {
    private final EventStore store;
    private final Pools pools;
    private final Meaning meaning;
    private final Scheduler loop;
    private final Set<Consumer<Set<String>>> watchers = new LinkedHashSet<>();

    NodePurgatory(EventStore store, Pools pools, Meaning meaning, Scheduler loop) {
        this.store = store;
        this.pools = pools;
        this.meaning = meaning;
        this.loop = loop;
    }

    @Override
    public List<Waiting> announcements() {
        var total = pools.total();
        return total.active() + total.soft() + total.references() == 0
                ? List.of()
                : pools.all().stream()
                        .flatMap(NodePurgatory::waiting)
                        .sorted(Comparator.comparing(Waiting::repository))
                        .toList();
    }

    private static Stream<Waiting> waiting(Pool pool) {
        return pool.announced().stream()
                .flatMap(entry -> entry.held().stream()
                        .map(held -> new Waiting(
                                new RepositoryAddress(entry.author(), pool.identifier()),
                                held.voice().version().id())));
    }

    @Override
    public List<RemoteUrl> relays(Waiting waiting) {
        return store.read(view -> view.findHeld(waiting.id()))
                .flatMap(row -> Announcement.parse(row.event()).find())
                .map(meaning::relays)
                .orElse(List.of());
    }

    @Override
    public Set<PublicKey> maintainers(RepositoryAddress repository) {
        return new TreeSet<>(
                pool(repository.identifier()).maintainers(repository.owner()).members());
    }

    @Override
    public List<RepositoryAddress> announced(String identifier) {
        return entries(identifier)
                .filter(entry -> entry.served().isPresent() || entry.held().isPresent())
                .map(entry -> new RepositoryAddress(entry.author(), new Identifier(identifier)))
                .toList();
    }

    @Override
    public List<RepositoryAddress> hosted(String identifier) {
        return entries(identifier)
                .filter(Announced::isHosted)
                .map(entry -> new RepositoryAddress(entry.author(), new Identifier(identifier)))
                .toList();
    }

    @Override
    public Set<PublicKey> listed(String identifier) {
        return entries(identifier).flatMap(Announced::named).collect(Collectors.toCollection(TreeSet::new));
    }

    private Stream<Announced> entries(String identifier) {
        return Identifier.parse(identifier).find().map(this::pool).stream().flatMap(pool -> pool.announced().stream());
    }

    private Pool pool(Identifier identifier) {
        return pools.of(identifier).at(pools.time().wall().getEpochSecond());
    }

    @Override
    public boolean isHeld(RepositoryAddress repository) {
        return Optional.of(pools.of(repository.identifier()))
                .flatMap(pool -> pool.findAnnounced(repository.owner()))
                .flatMap(Announced::held)
                .isPresent();
    }

    @Override
    public Runnable watch(Consumer<Set<String>> changed) {
        watchers.add(changed);
        return () -> watchers.remove(changed);
    }

    /// Identifiers whose announcements may have changed.
    void tell(Set<String> identifiers) {
        if (!identifiers.isEmpty()) {
            var told = new TreeSet<>(identifiers);
            loop.post(() -> List.copyOf(watchers).forEach(watcher -> watcher.accept(told)));
        }
    }
}
