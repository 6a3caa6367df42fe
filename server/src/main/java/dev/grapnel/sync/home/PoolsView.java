package dev.grapnel.sync.home;

import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.repository.Announcement;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.outbound.RemoteUrl;
import dev.grapnel.purgatory.Happening;
import dev.grapnel.purgatory.pool.Announced;
import dev.grapnel.purgatory.pool.HeldVoice;
import dev.grapnel.purgatory.pool.Pool;
import dev.grapnel.purgatory.pool.Pools;
import dev.grapnel.purgatory.pool.Tally;
import dev.grapnel.store.EventStore;
import dev.grapnel.sync.world.PurgatoryView;
import dev.grapnel.sync.world.Scheduler;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.Stream;

/// Purgatory as sync sees it: the pools in memory, and held events of the store.
///
/// What changes is noted by the store's writer, which must not wait, and told by one task on the loop, each identifier
/// once however often it changed.
public final class PoolsView implements PurgatoryView {
    private final EventStore store;
    private final Pools pools;
    private final ServedMeaning meaning;
    private final Scheduler loop;

    private final Set<String> changed = new ConcurrentSkipListSet<>();
    private final AtomicBoolean isTelling = new AtomicBoolean();
    /// The loop's own.
    private final List<Consumer<Set<String>>> watchers = new ArrayList<>();

    public PoolsView(EventStore store, Pools pools, ServedMeaning meaning, Scheduler loop) {
        this.store = store;
        this.pools = pools;
        this.meaning = meaning;
        this.loop = loop;
    }

    // ---- by the store's writer

    /// Identifiers have other announcements, states or proposals.
    public void noteChange(Collection<Identifier> identifiers) {
        identifiers.forEach(identifier -> changed.add(identifier.text()));
        if (!identifiers.isEmpty() && isTelling.compareAndSet(false, true)) {
            loop.post(this::tell);
        }
    }

    /// The same from what happens: that something came to be held is not told as a change (see [#noteChange]).
    public void note(Happening happening) {
        if (happening instanceof Happening.NowHeld(var row)) {
            noteChange(row.identifiers());
        }
    }

    // ---- on the loop

    @Override
    public Runnable watch(Consumer<Set<String>> watcher) {
        watchers.add(watcher);
        return () -> watchers.remove(watcher);
    }

    private void tell() {
        isTelling.set(false); // before taking: what is noted from now on is told again, at worst for nothing
        var some = new TreeSet<String>();
        changed.removeIf(some::add);
        List.copyOf(watchers).forEach(watcher -> watcher.accept(some));
    }

    /// Looks at every pool, but at most of them only to see that nothing waits there.
    @Override
    public List<Waiting> announcements() {
        if (held(pools.total()) == 0) {
            return List.of();
        }
        return pools.all().stream()
                .filter(pool -> held(pool.tally()) > 0)
                .flatMap(PoolsView::waiting)
                .sorted(Comparator.comparing(Waiting::repository))
                .toList();
    }

    private static int held(Tally tally) {
        return tally.active() + tally.soft() + tally.references();
    }

    private static Stream<Waiting> waiting(Pool pool) {
        return pool.announced().stream()
                .flatMap(entry -> entry
                        .held()
                        .map(held -> new Waiting(new RepositoryAddress(entry.author(), pool.identifier()), idOf(held)))
                        .stream());
    }

    private static EventId idOf(HeldVoice held) {
        return held.voice().version().id();
    }

    @Override
    public List<RemoteUrl> relays(Waiting waiting) {
        return store.read(view -> view.findHeld(waiting.id())).stream()
                .flatMap(row -> Announcement.parse(row.event()).find().stream())
                .flatMap(announcement -> meaning.relays(announcement).stream())
                .toList();
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
    public Stream<PublicKey> listed(String identifier) {
        return announcedIn(identifier).stream().flatMap(Announced::named);
    }

    @Override
    public boolean isHeld(RepositoryAddress repository) {
        return pools.of(repository.identifier())
                .findAnnounced(repository.owner())
                .filter(entry -> entry.held().isPresent())
                .isPresent();
    }

    private Stream<Announced> entries(String identifier) {
        return announcedIn(identifier).stream();
    }

    private List<Announced> announcedIn(String identifier) {
        return Identifier.parse(identifier)
                .find()
                .map(parsed -> pool(parsed).announced())
                .orElse(List.of());
    }

    /// Without what has expired and is still to be removed.
    private Pool pool(Identifier identifier) {
        return pools.of(identifier).at(pools.time().wall().getEpochSecond());
    }
}
