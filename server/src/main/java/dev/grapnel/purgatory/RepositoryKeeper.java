package dev.grapnel.purgatory;

import dev.grapnel.git.FreeSpace;
import dev.grapnel.git.repository.Repositories;
import dev.grapnel.git.repository.Restoration;
import dev.grapnel.git.repository.Trashed;
import dev.grapnel.nostr.Refusal;
import dev.grapnel.nostr.Refusal.Prefix;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.RefName;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.purgatory.Arrival.Ground;
import dev.grapnel.purgatory.pool.Announced;
import dev.grapnel.purgatory.pool.Pools;
import dev.grapnel.store.EventStore;
import dev.grapnel.store.Urgency;
import dev.grapnel.store.row.Repair;
import dev.grapnel.store.row.RowKeys;
import dev.grapnel.store.row.Standing;
import dev.grapnel.store.table.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Keeps the repositories on disk as the store says: there when an announcement needs one, in the trash or
/// gone when none does. Each change is made under the lock of the identifier. A directory is what follows,
/// never what decides: after a kill the same is done again.
public final class RepositoryKeeper implements Grounds {
    private static final Logger LOG = LoggerFactory.getLogger(RepositoryKeeper.class);
    private static final Refusal LOW_DISK = new Refusal(Prefix.ERROR, "low on disk space");
    private static final Refusal NOT_MADE =
            new Refusal(Prefix.ERROR, "the repository could not be made, try again later");

    private static final Duration ORPHAN_AGE = Duration.ofHours(1);

    private final Repositories repositories;
    private final EventStore store;
    private final Pools pools;
    private final IdentifierLocks locks;
    private final FreeSpace space;

    public RepositoryKeeper(
            Repositories repositories, EventStore store, Pools pools, IdentifierLocks locks, FreeSpace space) {
        this.repositories = repositories;
        this.store = store;
        this.pools = pools;
        this.locks = locks;
        this.space = space;
    }

    @Override
    public <T> T over(
            Map<RepositoryAddress, Ground> wanted,
            Function<Map<RepositoryAddress, Ground>, T> work,
            Function<Refusal, T> otherwise) {
        if (space.isLow()) {
            return otherwise.apply(LOW_DISK);
        }
        var addresses = new TreeSet<>(wanted.keySet());
        return locks.holding(identifiersOf(addresses), () -> {
            try {
                var ready = new TreeMap<RepositoryAddress, Ground>();
                for (var address : addresses) {
                    ready.put(address, makeReady(address, Objects.requireNonNull(wanted.get(address))));
                }
                return work.apply(ready);
            } catch (IOException e) {
                LOG.error("repository not made reason={}", e.toString());
                return otherwise.apply(NOT_MADE);
            } finally {
                addresses.forEach(this::tendNow);
            }
        });
    }

    private static List<Identifier> identifiersOf(Set<RepositoryAddress> addresses) {
        return addresses.stream().map(RepositoryAddress::identifier).distinct().toList();
    }

    private Ground makeReady(RepositoryAddress address, Ground wanted) throws IOException {
        var entry = entryOf(address);
        if (wanted == Ground.RESTORED && isIn(Standing.Phase.TRASHED, entry) && restore(address)) {
            return Ground.RESTORED;
        }
        if (isIn(Standing.Phase.TRASHED, entry)) {
            trash(address, entry.filter(Announced::hasRepository).isPresent());
        } else if (isIn(Standing.Phase.DOOMED, entry)) {
            repositories.remove(address);
            purge(address);
        }
        if (repositories.findPlace(address).isEmpty()) {
            makeAnew(address, entry);
        }
        return Ground.EMPTY;
    }

    private Optional<Announced> entryOf(RepositoryAddress address) {
        return pools.of(address.identifier()).findAnnounced(address.owner());
    }

    private static boolean isIn(Standing.Phase phase, Optional<Announced> entry) {
        return entry.flatMap(Announced::standing).filter(phase::equals).isPresent();
    }

    /// Brings a repository back from the trash; false if it is not there any more. An empty one that waits
    /// for data of an older announcement makes room for it.
    boolean restore(RepositoryAddress address) throws IOException {
        var all = trashedAt(address);
        // a clock that was set back calls nothing later: then it is the newest
        var trashed = findTrashed(address).or(() -> all.stream().reduce((_, later) -> later));
        if (repositories.findPlace(address).isPresent()) {
            if (entryOf(address).filter(Announced::hasRepository).isEmpty()) {
                return true; // a kill came between its return and the store's knowledge of it
            }
            if (trashed.isEmpty() || !hasNoRefs(address)) {
                return false;
            }
            repositories.remove(address);
        }
        return trashed.isPresent() && repositories.restore(trashed.get()) == Restoration.DONE;
    }

    /// What went into the trash when the repository went offline: the first since then. What lay there
    /// before is of an earlier life, what came later of one that did not begin.
    private Optional<Trashed> findTrashed(RepositoryAddress address) throws IOException {
        var since = store.read(view -> view.findRow(Table.REPOSITORIES, RowKeys.repository(address)))
                .map(row -> ((Standing) row).since())
                .orElse(Instant.MIN);
        return trashedAt(address).stream()
                .filter(trashed -> !trashed.time().isBefore(since))
                .findFirst();
    }

    private List<Trashed> trashedAt(RepositoryAddress address) throws IOException {
        return repositories.listTrash().stream()
                .filter(trashed -> trashed.address().equals(address))
                .toList();
    }

    /// Makes the directory what the store says it should be.
    void tend(RepositoryAddress address) {
        holding(address.identifier(), () -> {
            tendNow(address);
            return true;
        });
    }

    /// Does something while nobody else changes repositories of this name.
    <T> T holding(Identifier identifier, Supplier<T> work) {
        return locks.holding(List.of(identifier), work);
    }

    /// The same for several names.
    <T> T holding(List<Identifier> identifiers, Supplier<T> work) {
        return locks.holding(identifiers, work);
    }

    private void tendNow(RepositoryAddress address) {
        try {
            var entry = entryOf(address);
            boolean isWanted = entry.filter(Announced::hasRepository).isPresent();
            if (isIn(Standing.Phase.TRASHED, entry)) {
                trash(address, isWanted);
            } else if (isIn(Standing.Phase.DOOMED, entry)) {
                doom(address, isWanted);
            }
            if (isWanted) {
                require(address);
            } else if (entry.flatMap(Announced::standing).isEmpty()) {
                removeUnwanted(address);
            }
        } catch (IOException e) {
            LOG.warn(
                    "purgatory.repo_delete_failed identifier={} owner={} error={}",
                    address.identifier(),
                    address.owner(),
                    e.toString());
        }
    }

    private void require(RepositoryAddress address) throws IOException {
        if (repositories.findPlace(address).isEmpty()) {
            LOG.warn(
                    "repository was missing, made empty identifier={} owner={}", address.identifier(), address.owner());
            makeAnew(address, entryOf(address));
        } else if (isForeign(address)) {
            queue(address);
        }
    }

    /// What should be in it comes from others: that is written down before anybody can read it. One that only waits is
    /// looked at anyway.
    private void makeAnew(RepositoryAddress address, Optional<Announced> entry) throws IOException {
        if (entry.filter(Announced::carries).isPresent()) {
            queue(address);
        }
        repositories.create(address).close();
    }

    /// Whether another server made it, and nobody has compared it with events yet.
    boolean isForeign(RepositoryAddress address) throws IOException {
        return repositories.isForeign(address);
    }

    /// A run has to look at it (P-541).
    private void queue(RepositoryAddress address) throws IOException {
        try {
            queueNow(address);
        } catch (CompletionException e) {
            throw new IOException("what is to be repaired could not be stored", e.getCause());
        }
    }

    private void queueNow(RepositoryAddress address) {
        store.write(Urgency.WAITING, 0, transaction -> {
                    var now = pools.time().wall();
                    transaction.put(transaction
                            .findRow(Table.REPAIRS, RowKeys.repository(address))
                            .map(row -> ((Repair) row).dueAt(now))
                            .orElseGet(() -> Repair.due(address, now)));
                    return true;
                })
                .join();
    }

    /// What went offline goes into the trash. Beside that an older announcement may wait with an empty
    /// repository, which is not what went offline and leaves no trace.
    private void trash(RepositoryAddress address, boolean isWaiting) throws IOException {
        boolean isThere = repositories.findPlace(address).isPresent();
        if (isThere && findTrashed(address).isPresent() && hasNoRefs(address)) {
            if (!isWaiting) {
                repositories.remove(address);
            }
        } else if (isThere && !(isWaiting && hasNoRefs(address))) {
            repositories.trash(address);
        }
    }

    private void doom(RepositoryAddress address, boolean isWaiting) throws IOException {
        if (!isWaiting) {
            repositories.remove(address);
        }
        purge(address);
        store.write(
                        Urgency.WAITING,
                        0,
                        transaction -> transaction
                                .findRow(Table.REPOSITORIES, RowKeys.repository(address))
                                .filter(row -> ((Standing) row).phase() == Standing.Phase.DOOMED)
                                .map(row -> transaction.remove(row.table(), row.key()))
                                .orElse(false))
                .join();
    }

    /// Something was to be held and was not, or left before any data came. With refs in it a directory is
    /// never deleted: nobody knows what they are worth (P-731).
    private void removeUnwanted(RepositoryAddress address) throws IOException {
        if (repositories.findPlace(address).isPresent() && hasNoRefs(address)) {
            repositories.remove(address);
        }
    }

    /// Whether there is no ref at all.
    boolean hasNoRefs(RepositoryAddress address) throws IOException {
        try (var lease = repositories.find(address).orElse(null)) {
            return lease == null || lease.refs().current().isEmpty();
        }
    }

    /// Whether there is a branch or a tag, of whatever origin.
    boolean hasContent(RepositoryAddress address) throws IOException {
        try (var lease = repositories.find(address).orElse(null)) {
            return lease != null
                    && lease.refs().current().values().keySet().stream().anyMatch(RepositoryKeeper::isContent);
        }
    }

    private static boolean isContent(RefName ref) {
        return ref.isBranch() || ref.isTag();
    }

    /// Takes an empty repository away; the caller holds the lock. What another server left in it stays: a state
    /// that names it may still come.
    void remove(RepositoryAddress address) throws IOException {
        if (!isForeign(address) || hasNoRefs(address)) {
            repositories.remove(address);
        }
    }

    /// Deletes what was put aside before a moment, also what no standing tells of any more.
    void purgeTrash(Instant before) throws IOException {
        repositories.purgeTrash(before);
    }

    /// Deletes for good what was in the trash of an address; the caller holds the lock.
    void purge(RepositoryAddress address) throws IOException {
        for (var trashed : trashedAt(address)) {
            repositories.purge(trashed);
        }
    }

    /// Whether it is there.
    boolean exists(RepositoryAddress address) throws IOException {
        return repositories.findPlace(address).isPresent();
    }

    /// Deletes a repository that nothing in the store explains, if it is empty and not about to be used
    /// (P-731).
    void removeOrphan(RepositoryAddress address) {
        holding(address.identifier(), () -> {
            try {
                if (isOld(address)) {
                    tendNow(address);
                }
            } catch (IOException e) {
                LOG.warn("orphan not examined address={} reason={}", address, e.toString());
            }
            return true;
        });
    }

    private boolean isOld(RepositoryAddress address) throws IOException {
        var place = repositories.findPlace(address);
        if (place.isEmpty()) {
            return false;
        }
        var changed = Files.getLastModifiedTime(place.get().directory()).toInstant();
        return changed.isBefore(pools.time().wall().minus(ORPHAN_AGE));
    }

    /// The repositories that are there, whatever the store says.
    List<RepositoryAddress> onDisk() throws IOException {
        return repositories.list();
    }
}
