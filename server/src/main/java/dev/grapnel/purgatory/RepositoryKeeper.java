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
import dev.grapnel.store.row.AreaName;
import dev.grapnel.store.row.RowKeys;
import dev.grapnel.store.row.Standing;
import dev.grapnel.store.table.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
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
            Set<RepositoryAddress> addresses,
            Function<Map<RepositoryAddress, Ground>, T> work,
            Function<Refusal, T> otherwise) {
        if (space.isLow()) {
            return otherwise.apply(LOW_DISK);
        }
        return locks.holding(identifiersOf(addresses), () -> {
            try {
                var ready = new TreeMap<RepositoryAddress, Ground>();
                for (var address : new TreeSet<>(addresses)) {
                    ready.put(address, makeReady(address));
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

    private Ground makeReady(RepositoryAddress address) throws IOException {
        var standing = entryOf(address).flatMap(Announced::standing);
        if (standing.filter(phase -> phase == Standing.Phase.TRASHED).isPresent() && restore(address)) {
            return Ground.RESTORED;
        }
        if (standing.filter(phase -> phase == Standing.Phase.DOOMED).isPresent()) {
            repositories.remove(address);
        }
        repositories.create(address).close();
        return Ground.EMPTY;
    }

    private Optional<Announced> entryOf(RepositoryAddress address) {
        return pools.of(address.identifier()).findAnnounced(address.owner());
    }

    /// Brings a repository back from the trash; false if it is not there any more.
    boolean restore(RepositoryAddress address) throws IOException {
        if (repositories.findPlace(address).isPresent()) {
            return true; // a kill came between its return and the store's knowledge of it
        }
        var newest = trashedAt(address).stream().reduce((_, later) -> later);
        return newest.isPresent() && repositories.restore(newest.get()) == Restoration.DONE;
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

    private void tendNow(RepositoryAddress address) {
        try {
            var entry = entryOf(address);
            boolean isWanted = entry.filter(Announced::hasRepository).isPresent();
            var standing = entry.flatMap(Announced::standing);
            if (isWanted) {
                require(address);
            } else if (standing.filter(phase -> phase == Standing.Phase.TRASHED).isPresent()) {
                repositories.trash(address);
            } else if (standing.filter(phase -> phase == Standing.Phase.DOOMED).isPresent()) {
                doom(address);
            } else {
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
            repositories.create(address).close();
        }
    }

    private void doom(RepositoryAddress address) throws IOException {
        repositories.remove(address);
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

    /// Whether there is a branch or a tag.
    boolean hasContent(RepositoryAddress address) throws IOException {
        try (var lease = repositories.find(address).orElse(null)) {
            return lease != null
                    && lease.refs().current().values().keySet().stream().anyMatch(RepositoryKeeper::isContent);
        }
    }

    private static boolean isContent(RefName ref) {
        return ref.isBranch() || ref.isTag();
    }

    /// Takes an empty repository away; the caller holds the lock.
    void remove(RepositoryAddress address) throws IOException {
        repositories.remove(address);
    }

    /// Deletes for good what was in the trash of an address; the caller holds the lock.
    void purge(RepositoryAddress address) throws IOException {
        for (var trashed : trashedAt(address)) {
            repositories.purge(trashed);
        }
    }

    /// Deletes what was pushed for an event that nobody waits for any more.
    void deleteArea(AreaName area) {
        try {
            repositories.staging().delete(area.text());
        } catch (IOException e) {
            LOG.warn("staging area not deleted area={} reason={}", area, e.toString());
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
