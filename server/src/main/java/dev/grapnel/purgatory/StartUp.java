package dev.grapnel.purgatory;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.repository.Announcement;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.purgatory.pool.Announced;
import dev.grapnel.purgatory.pool.PoolFollower;
import dev.grapnel.purgatory.pool.Pools;
import dev.grapnel.store.EventStore;
import dev.grapnel.store.SaveOutcome;
import dev.grapnel.store.StoreTransaction;
import dev.grapnel.store.StoredEvent;
import dev.grapnel.store.Urgency;
import dev.grapnel.store.row.Held;
import dev.grapnel.store.row.HeldAnnouncement.Phase;
import dev.grapnel.store.row.Placeholder;
import dev.grapnel.store.row.Repair;
import dev.grapnel.store.row.RowKeys;
import dev.grapnel.store.row.Standing;
import dev.grapnel.store.table.Table;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What is done before anything is served (purgatory 7.5, as far as events and directories go).
final class StartUp {
    private static final Logger LOG = LoggerFactory.getLogger(StartUp.class);

    private final EventStore store;
    private final Pools pools;
    private final PurgatoryConfig config;
    private final Happenings happenings;

    StartUp(EventStore store, Pools pools, PurgatoryConfig config, Happenings happenings) {
        this.store = store;
        this.pools = pools;
        this.config = config;
        this.happenings = happenings;
    }

    /// Reads what is announced and what waits. If the clock was set back meanwhile, the time without a
    /// server counts as nothing (P-722): otherwise everything would wait for longer than it may.
    void load(PoolFollower follower) {
        var written = store.read(view -> view.clock());
        store.write(Urgency.WAITING, 0, transaction -> {
                    var now = pools.time().wall();
                    var step =
                            written.map(clock -> Duration.between(now, clock)).orElse(Duration.ZERO);
                    if (step.isPositive()) {
                        LOG.warn("clock was set back by={}", step);
                        advance(step, transaction);
                    }
                    follower.load(transaction);
                    return true;
                })
                .join();
        var total = pools.total();
        LOG.info(
                "purgatory.restored announcements={} soft={} references={} states={} proposals={} repositories={}",
                total.active(),
                total.soft(),
                total.references(),
                total.states(),
                pools.proposalCount(),
                total.hosted());
    }

    private static void advance(Duration step, StoreTransaction transaction) {
        var held = new ArrayList<Held>();
        for (var table : List.of(Table.HELD_ANNOUNCEMENTS, Table.HELD_STATES, Table.HELD_PROPOSALS)) {
            transaction.forEachRow(table, Bytes.EMPTY, row -> held.add((Held) row));
        }
        held.stream()
                .filter(row -> !row.expiresAt().equals(Held.NEVER))
                .forEach(row -> transaction.amend(
                        row.event().id(), row.terms().until(row.expiresAt().minus(step))));
        var uploads = new ArrayList<Placeholder>();
        transaction.forEachRow(Table.PLACEHOLDERS, Bytes.EMPTY, row -> uploads.add((Placeholder) row));
        uploads.forEach(row -> transaction.put(row.withExpiry(row.expiresAt().minus(step))));
    }

    /// Announcements that are served without a standing though they ask to be hosted: with content in their
    /// repository, or brought by the operator, they came from a back-up or from before standings were kept. All
    /// others stay references, which other lists do not turn into repositories that clone empty (P-102).
    void hostWhatIsServed(RepositoryKeeper keeper, Predicate<Announcement> isHosted) throws IOException {
        for (var pool : pools.all()) {
            for (var entry : pool.announced()) {
                var address = new RepositoryAddress(entry.author(), pool.identifier());
                if (entry.served().isPresent()
                        && entry.standing().isEmpty()
                        && (isBrought(address) || keeper.hasContent(address))) {
                    store.read(view -> view.findCurrent(address.announcement()))
                            .map(StoredEvent::read)
                            .flatMap(event -> Announcement.parse(event).find())
                            .filter(isHosted)
                            .ifPresent(_ -> {
                                host(address);
                                keeper.tend(address); // whoever is told of it from now on finds it
                            });
                }
            }
        }
    }

    private boolean isBrought(RepositoryAddress address) {
        return store.read(view -> view.count(Table.REPAIRS) > 0
                && view.findRow(Table.REPAIRS, RowKeys.repository(address)).isPresent());
    }

    /// References that wait though somebody is served who names them: that one was imported while no server
    /// ran.
    void releaseReferences() {
        long second = pools.time().wall().getEpochSecond();
        for (var pool : pools.all()) {
            var heard = pool.at(second);
            var references = heard.announced().stream()
                    .filter(entry -> entry.held()
                            .filter(held -> held.phase() == Phase.REFERENCE)
                            .isPresent())
                    .map(Announced::author)
                    .toList();
            if (!references.isEmpty()) {
                heard.namedByServed(references).stream()
                        .flatMap(author -> heard.findAnnounced(author).stream())
                        .flatMap(entry -> entry.held().stream())
                        .forEach(held -> release(held.voice().version().id()));
            }
        }
    }

    private void release(EventId reference) {
        store.write(Urgency.WAITING, 0, transaction -> {
                    happenings.releasingBy(ReleasePath.STARTUP);
                    var row = transaction.findHeld(reference); // one that was released may have released others
                    row.ifPresent(found -> happenings.note(
                            transaction.release(reference) instanceof SaveOutcome.Served
                                    ? new Happening.Released(found, happenings.path())
                                    : new Happening.Dropped(found, DropReason.SUPERSEDED)));
                    return row.isPresent();
                })
                .join();
    }

    private void host(RepositoryAddress address) {
        var now = pools.time().wall();
        store.write(Urgency.WAITING, 0, transaction -> {
                    happenings.releasingBy(ReleasePath.STARTUP);
                    transaction.put(Standing.hosted(address, now));
                    transaction.put(Repair.due(address, now));
                    return true;
                })
                .join();
        LOG.info("repository.adopted identifier={} owner={}", address.identifier(), address.owner());
    }

    /// Makes the directories what the store says. An announcement whose time was over and whose repository
    /// is gone was about to be marked so when the process ended.
    ///
    /// @param later told which ones can wait: repositories that are served, of which most are there
    void tendRepositories(RepositoryKeeper keeper, Consumer<RepositoryAddress> later) throws IOException {
        for (var pool : pools.all()) {
            for (var entry : pool.announced()) {
                var address = new RepositoryAddress(entry.author(), pool.identifier());
                if (isOverdue(entry) && !keeper.exists(address)) {
                    soften(entry, address);
                } else if (entry.held().isEmpty() && entry.isServedHosted()) {
                    later.accept(address);
                } else {
                    keeper.tend(address);
                }
            }
        }
    }

    /// Deletes empty repositories that no announcement explains.
    ///
    /// @param isEnding whether nobody wants to wait for it any more
    void removeOrphans(RepositoryKeeper keeper, BooleanSupplier isEnding) throws IOException {
        int kept = 0;
        int foreign = 0;
        for (var address : keeper.onDisk()) {
            var entry = pools.of(address.identifier()).findAnnounced(address.owner());
            if (entry.filter(Announced::hasRepository).isEmpty() && !isEnding.getAsBoolean()) {
                keeper.removeOrphan(address);
                boolean isKept = keeper.exists(address);
                kept += isKept ? 1 : 0;
                foreign += isKept && keeper.isForeign(address) ? 1 : 0;
            }
        }
        if (kept > 0) {
            LOG.info(
                    "repositories.unannounced count={} of_another_server={}: no announcement explains them, so they are"
                            + " kept and not served",
                    kept,
                    foreign);
        }
    }

    private boolean isOverdue(Announced entry) {
        return entry.held()
                .filter(held -> held.phase() == Phase.ACTIVE
                        && held.deadline() <= pools.time().now())
                .isPresent();
    }

    private void soften(Announced entry, RepositoryAddress address) {
        var held = entry.held().orElseThrow();
        var time = pools.time();
        long end = held.deadline() + config.softExpiry().toMillis();
        store.write(
                        Urgency.WAITING,
                        0,
                        transaction -> transaction.amend(
                                held.voice().version().id(),
                                held.terms(end, time).in(Phase.SOFT_EXPIRED)))
                .join();
        LOG.info("purgatory.soft_expired identifier={} owner={}", address.identifier(), address.owner());
    }
}
