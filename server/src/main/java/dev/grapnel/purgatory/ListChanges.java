package dev.grapnel.purgatory;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.repository.Announcement;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.purgatory.pool.Announced;
import dev.grapnel.purgatory.pool.Pools;
import dev.grapnel.store.EventStore;
import dev.grapnel.store.SaveOutcome;
import dev.grapnel.store.StoredEvent;
import dev.grapnel.store.Urgency;
import dev.grapnel.store.row.Standing;
import dev.grapnel.store.table.Table;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What other lists than at the last start mean for repositories that are here (service 4.12). In this
/// order: what a blacklist hits goes, what it hits no more comes back if the operator wants that, what the
/// whitelist does not name goes, what it names again comes back.
final class ListChanges {
    private static final Logger LOG = LoggerFactory.getLogger(ListChanges.class);

    private final EventStore store;
    private final Pools pools;
    private final RepositoryKeeper keeper;
    private final Wishes wishes;
    private final ListCounts counts;
    private final Happenings happenings;

    /// What the lists say today.
    interface Wishes {
        /// Whether a blacklist names the repository or its owner.
        boolean isBlacklisted(RepositoryAddress repository);

        /// Whether the whitelist names it, or there is none.
        boolean isWhitelisted(RepositoryAddress repository);

        /// Whether it may be hosted as far as the whitelist, or an archive, says.
        boolean isAllowed(Announcement announcement);

        /// Whether an announcement asks for a repository here and may have one.
        boolean isHosted(Announcement announcement);

        /// Whether what leaves a blacklist comes back.
        boolean restoresBlacklisted();
    }

    ListChanges(
            EventStore store,
            Pools pools,
            RepositoryKeeper keeper,
            Wishes wishes,
            ListCounts counts,
            Happenings happenings) {
        this.store = store;
        this.pools = pools;
        this.keeper = keeper;
        this.wishes = wishes;
        this.counts = counts;
        this.happenings = happenings;
    }

    void apply() {
        takeOffline(Standing.Cause.BLACKLISTED, wishes::isBlacklisted, _ -> true);
        dropHeld();
        if (wishes.restoresBlacklisted()) {
            restore(Standing.Cause.BLACKLISTED);
        }
        takeOffline(
                Standing.Cause.NOT_WHITELISTED,
                repository -> !wishes.isWhitelisted(repository),
                announcement -> !wishes.isAllowed(announcement));
        restore(Standing.Cause.NOT_WHITELISTED);
    }

    /// Announcements are read only where the address does not settle it.
    private void takeOffline(
            Standing.Cause cause, Predicate<RepositoryAddress> mayBeHit, Predicate<Announcement> isHit) {
        for (var address : online()) {
            if (mayBeHit.test(address)) {
                findServed(address).filter(isHit).ifPresent(found -> takeOffline(found, cause));
            }
        }
    }

    private List<RepositoryAddress> online() {
        var online = new ArrayList<RepositoryAddress>();
        for (var pool : pools.all()) {
            pool.announced().stream()
                    .filter(Announced::carries)
                    .forEach(entry -> online.add(new RepositoryAddress(entry.author(), pool.identifier())));
        }
        return online;
    }

    private Optional<Announcement> findServed(RepositoryAddress address) {
        return store.read(view -> view.findCurrent(address.announcement()))
                .map(StoredEvent::read)
                .flatMap(event -> Announcement.parse(event).find());
    }

    private void takeOffline(Announcement announcement, Standing.Cause cause) {
        counts.removal(ListCounts.Phase.ATTEMPTED);
        var standing =
                Standing.offline(announcement.address(), cause, pools.time().wall(), Optional.of(announcement.event()));
        store.write(Urgency.WAITING, 0, transaction -> {
                    transaction.put(standing);
                    return transaction.withdraw(announcement.event().id());
                })
                .join();
        keeper.tend(announcement.address());
        counts.removal(ListCounts.Phase.SUCCEEDED);
        LOG.warn(
                "repository taken offline identifier={} owner={} cause={}",
                announcement.identifier(),
                announcement.owner(),
                cause);
    }

    /// What only waits is not kept for later.
    private void dropHeld() {
        for (var pool : pools.all()) {
            for (var entry : pool.announced()) {
                var address = new RepositoryAddress(entry.author(), pool.identifier());
                if (entry.held().isPresent() && wishes.isBlacklisted(address)) {
                    drop(entry.held().get().voice().version().id());
                    keeper.tend(address);
                }
            }
        }
    }

    /// A blacklist entry does what a ban does (service 4.12), so it is called that.
    private void drop(EventId id) {
        store.write(Urgency.WAITING, 0, transaction -> {
                    var dropped = transaction.drop(id);
                    dropped.ifPresent(row -> happenings.note(new Happening.Dropped(row, DropReason.BANNED)));
                    return dropped.isPresent();
                })
                .join();
    }

    private void restore(Standing.Cause cause) {
        var offline = new ArrayList<Standing>();
        store.read(view -> {
            offline.clear();
            view.forEachRow(Table.REPOSITORIES, Bytes.EMPTY, row -> {
                if (row instanceof Standing standing && standing.cause() == cause) {
                    offline.add(standing);
                }
            });
            return true;
        });
        offline.forEach(this::restore);
    }

    /// What its owner has announced meanwhile counts, if it is here; if that does not ask for a repository,
    /// the old one stays where it is.
    private void restore(Standing standing) {
        var address = standing.repository();
        var newer = findServed(address)
                .filter(found -> !standing.isAfter(found.event().version()));
        var announcement = newer.isPresent()
                ? newer.filter(wishes::isHosted)
                : standing.announcement()
                        .flatMap(event -> Announcement.parse(event).find());
        if (announcement
                .filter(found -> !wishes.isBlacklisted(found.address()) && wishes.isAllowed(found))
                .isEmpty()) {
            return;
        }
        keeper.holding(address.identifier(), () -> {
            try {
                boolean isBack = keeper.restore(address)
                        && serve(standing, announcement.get().event());
                counts.restoration(standing.cause(), isBack);
                LOG.info(
                        "repository restored identifier={} owner={} done={}",
                        address.identifier(),
                        address.owner(),
                        isBack);
            } catch (IOException e) {
                counts.restoration(standing.cause(), false);
                LOG.error("repository not restored identifier={} reason={}", address.identifier(), e.toString());
            }
            return true;
        });
        keeper.tend(address); // back to the trash, if it could not be served
    }

    private boolean serve(Standing standing, Event announcement) {
        return store.write(Urgency.WAITING, 0, transaction -> {
                    happenings.releasingBy(ReleasePath.STARTUP);
                    boolean isServed = transaction.isServed(announcement.id())
                            || transaction.save(announcement) instanceof SaveOutcome.Served;
                    if (isServed) {
                        transaction.put(Standing.hosted(
                                standing.repository(), pools.time().wall()));
                    }
                    return isServed;
                })
                .join();
    }
}
