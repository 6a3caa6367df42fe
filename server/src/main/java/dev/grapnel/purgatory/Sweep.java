package dev.grapnel.purgatory;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.purgatory.pool.Announced;
import dev.grapnel.purgatory.pool.HeldVoice;
import dev.grapnel.purgatory.pool.Pool;
import dev.grapnel.purgatory.pool.Pools;
import dev.grapnel.purgatory.pool.Timeline;
import dev.grapnel.purgatory.pool.WaitingProposal;
import dev.grapnel.purgatory.pool.WaitingState;
import dev.grapnel.store.EventStore;
import dev.grapnel.store.StoreTransaction;
import dev.grapnel.store.StoreWork;
import dev.grapnel.store.Urgency;
import dev.grapnel.store.row.Dormant;
import dev.grapnel.store.row.ExpiredEvent;
import dev.grapnel.store.row.Held;
import dev.grapnel.store.row.HeldAnnouncement.Phase;
import dev.grapnel.store.row.Placeholder;
import dev.grapnel.store.row.RowKeys;
import dev.grapnel.store.table.Table;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Lets go of what has waited long enough (purgatory 2.5). Everything is looked at again under the
/// identifier's lock and inside the transaction, so whatever moved a deadline meanwhile wins; a sweep that
/// dies half-way is repeated.
final class Sweep {
    private static final Logger LOG = LoggerFactory.getLogger(Sweep.class);

    /// How long an announcement is kept whose repository has content though nobody released it (A12).
    private static final Duration UNEXPLAINED = Duration.ofMinutes(5);

    /// How often late data is looked for (P-123).
    private static final int REVIVALS_MAX = 3;

    private static final Optional<Dormant> NOTHING = Optional.empty();

    private final EventStore store;
    private final Pools pools;
    private final RepositoryKeeper keeper;
    private final Pins pins;
    private final Reprieve reprieve;
    private final PurgatoryConfig config;
    private final Happenings happenings;
    private final DormantRecords dormant;
    private final Timeline time;

    Sweep(
            EventStore store,
            Pools pools,
            RepositoryKeeper keeper,
            Pins pins,
            Reprieve reprieve,
            Predicate<String> isOwn,
            PurgatoryConfig config,
            Happenings happenings) {
        this.store = store;
        this.pools = pools;
        this.keeper = keeper;
        this.pins = pins;
        this.reprieve = reprieve;
        this.config = config;
        this.happenings = happenings;
        this.dormant = new DormantRecords(pools, isOwn);
        this.time = pools.time();
    }

    void run() {
        var due = new ArrayList<Pool>();
        pools.all().stream().filter(this::hasDue).forEach(due::add);
        Parallel.forEach(due, this::sweepAnnouncements);
        Parallel.forEach(due, this::sweepStates);
        sweepProposals(due);
        sweepPlaceholders();
    }

    // ---- what is due

    private boolean hasDue(Pool pool) {
        return pool.announced().stream().flatMap(entry -> entry.held().stream()).anyMatch(this::isDue)
                || pool.states().stream().anyMatch(this::isDue)
                || pool.proposals().stream().anyMatch(this::isDue);
    }

    private boolean isDue(HeldVoice voice) {
        return isOver(voice.deadline()) || isSilent(voice.voice().expiry());
    }

    private boolean isDue(WaitingState state) {
        return isOver(state.deadline()) || isSilent(state.expiry());
    }

    private boolean isDue(WaitingProposal proposal) {
        return isOver(proposal.deadline()) || isSilent(proposal.expiry());
    }

    private boolean isOver(long deadline) {
        return deadline <= time.now();
    }

    /// Whether its author gave it no longer time (NIP-40, P-254).
    private boolean isSilent(long expiry) {
        return expiry <= time.wall().getEpochSecond();
    }

    private boolean isKept(EventId id, Identifier identifier, long deadline) {
        return pins.isPinned(id) || reprieve.keeps(identifier, deadline);
    }

    // ---- announcements

    private void sweepAnnouncements(Pool pool) {
        for (var entry : pool.announced()) {
            if (entry.held().filter(this::isDue).isPresent()) {
                var address = new RepositoryAddress(entry.author(), pool.identifier());
                keeper.holding(pool.identifier(), () -> {
                    sweepAnnouncement(address);
                    return true;
                });
            }
        }
    }

    private void sweepAnnouncement(RepositoryAddress address) {
        var entry = pools.of(address.identifier()).findAnnounced(address.owner());
        var held = entry.flatMap(Announced::held).filter(this::isDue);
        if (held.isEmpty()) {
            return;
        }
        var id = held.get().voice().version().id();
        if (isSilent(held.get().voice().expiry())) {
            drop(id, transaction -> isStillDue(address, id), DropReason.EXPIRED, false);
        } else if (!isKept(id, address.identifier(), held.get().deadline())) {
            switch (held.get().phase()) {
                case ACTIVE -> expire(entry.get(), address, id);
                case SOFT_EXPIRED -> drop(id, transaction -> isStillDue(address, id), DropReason.EXPIRED, true);
                case REFERENCE -> {} // leaves with what it depends on
            }
        }
    }

    private boolean isStillDue(RepositoryAddress address, EventId id) {
        return pools.inTransaction(address.identifier())
                .findAnnounced(address.owner())
                .flatMap(Announced::held)
                .filter(held -> held.voice().version().id().equals(id) && isDue(held))
                .isPresent();
    }

    /// A11 to A13, A20.
    private void expire(Announced entry, RepositoryAddress address, EventId id) {
        try {
            if (entry.carries()) {
                LOG.warn(
                        "newer announcement lapsed, the served one stays identifier={} owner={}",
                        address.identifier(),
                        address.owner());
                drop(id, transaction -> isStillDue(address, id), DropReason.EXPIRED, true);
            } else if (!keeper.isForeign(address) && keeper.hasContent(address)) {
                LOG.error(
                        "held announcement has content identifier={} owner={}", address.identifier(), address.owner());
                amend(address, id, Phase.ACTIVE, UNEXPLAINED);
            } else {
                keeper.remove(address);
                soften(address, id);
            }
        } catch (IOException e) {
            LOG.warn(
                    "purgatory.repo_delete_failed identifier={} owner={} error={}",
                    address.identifier(),
                    address.owner(),
                    e.toString());
        }
    }

    private void soften(RepositoryAddress address, EventId id) {
        boolean isSoft = false;
        try {
            isSoft = amend(address, id, Phase.SOFT_EXPIRED, config.softExpiry());
        } finally {
            if (!isSoft) {
                keeper.tend(address); // somebody needs it after all, or the store took nothing
            }
        }
    }

    private boolean amend(RepositoryAddress address, EventId id, Phase phase, Duration more) {
        return write(transaction -> {
            var held = pools.inTransaction(address.identifier())
                    .findAnnounced(address.owner())
                    .flatMap(Announced::held)
                    .filter(found -> found.voice().version().id().equals(id) && isDue(found));
            held.ifPresent(found -> {
                transaction.amend(id, found.terms(time.after(more), time).in(phase));
                if (phase == Phase.SOFT_EXPIRED) {
                    happenings.note(new Happening.SoftExpired(address));
                }
            });
            return held.isPresent();
        });
    }

    // ---- states

    /// The oldest first: only the newest of an author is looked for later, also if all end together.
    private void sweepStates(Pool pool) {
        var due = pool.states().stream()
                .filter(this::isDue)
                .sorted(Comparator.comparing(WaitingState::version))
                .toList();
        for (var state : due) {
            keeper.holding(pool.identifier(), () -> {
                sweepState(pool.identifier(), state.id());
                return true;
            });
        }
    }

    private void sweepState(Identifier identifier, EventId id) {
        var state = findState(pools.of(identifier), id).filter(this::isDue);
        if (state.isEmpty()) {
            return;
        }
        boolean isSilent = isSilent(state.get().expiry());
        if (isSilent || !isKept(id, identifier, state.get().deadline())) {
            drop(
                    id,
                    transaction -> findState(pools.inTransaction(identifier), id)
                            .filter(this::isDue)
                            .isPresent(),
                    DropReason.EXPIRED,
                    !isSilent);
        }
    }

    private static Optional<WaitingState> findState(Pool pool, EventId id) {
        return pool.states().stream().filter(state -> state.id().equals(id)).findFirst();
    }

    // ---- proposals and placeholders

    private void sweepProposals(List<Pool> due) {
        var seen = new HashSet<EventId>();
        var proposals = Stream.concat(
                        due.stream().flatMap(pool -> pool.proposals().stream()), pools.namelessProposals().stream())
                .filter(proposal -> isDue(proposal) && seen.add(proposal.id()))
                .toList();
        Parallel.forEach(proposals, this::sweepProposal);
    }

    private void sweepProposal(WaitingProposal proposal) {
        boolean isSilent = isSilent(proposal.expiry());
        boolean isSpared = pins.isPinned(proposal.id())
                || proposal.identifiers().stream()
                        .anyMatch(identifier -> reprieve.keeps(identifier, proposal.deadline()));
        if (isSilent || !isSpared) {
            drop(
                    proposal.id(),
                    transaction -> pools.findProposal(proposal.id(), transaction)
                            .filter(this::isDue)
                            .isPresent(),
                    DropReason.EXPIRED,
                    !isSilent);
        }
    }

    private void sweepPlaceholders() {
        var due = store.read(view -> {
            var found = new ArrayList<Placeholder>();
            if (view.count(Table.PLACEHOLDERS) > 0) {
                view.forEachRow(Table.PLACEHOLDERS, Bytes.EMPTY, row -> {
                    if (row instanceof Placeholder placeholder
                            && isOver(time.momentOf(placeholder.expiresAt()))
                            && !pins.isPinned(placeholder.id())) {
                        found.add(placeholder);
                    }
                });
            }
            return found;
        });
        for (var placeholder : due) {
            var identifiers = placeholder.pushedTo().stream()
                    .map(upload -> upload.repository().identifier())
                    .toList();
            keeper.holding(identifiers, () -> write(transaction -> expire(placeholder.id(), transaction)));
        }
    }

    /// Not remembered: nobody knows whose it was. Its area goes with the last row that names it.
    private boolean expire(EventId id, StoreTransaction transaction) {
        var row = transaction
                .findRow(Table.PLACEHOLDERS, RowKeys.event(id))
                .map(found -> (Placeholder) found)
                .filter(found -> isOver(time.momentOf(found.expiresAt())) && !pins.isPinned(id));
        row.ifPresent(found -> {
            transaction.remove(found.table(), found.key());
            happenings.note(new Happening.UploadExpired(found));
        });
        return row.isPresent();
    }

    // ---- leaving

    private void drop(EventId id, Predicate<StoreTransaction> isStillDue, DropReason reason, boolean isRemembered) {
        write(transaction -> {
            if (!isStillDue.test(transaction)) {
                return false;
            }
            var record = isRemembered ? dormant.of(id, transaction) : Optional.<Dormant>empty();
            transaction.drop(id).ifPresent(row -> {
                happenings.note(new Happening.Dropped(row, reason));
                if (isRemembered) {
                    remember(row, record, transaction);
                }
            });
            return true;
        });
    }

    private void remember(Held row, Optional<Dormant> record, StoreTransaction transaction) {
        var id = row.event().id();
        var now = time.wall();
        var before =
                transaction.findRow(Table.EXPIRED_EVENTS, RowKeys.event(id)).map(found -> (ExpiredEvent) found);
        var kept = before.filter(found -> found.revivals() >= REVIVALS_MAX).isPresent() ? NOTHING : record;
        kept.ifPresent(dormant -> happenings.note(new Happening.Recorded(id, dormant)));
        transaction.put(before.map(found -> found.expiredAgain(now, kept))
                .orElseGet(() -> new ExpiredEvent(id, row.event().kind(), now, now, 0, false, record)));
    }

    private <T> T write(StoreWork<T> work) {
        return store.write(Urgency.WAITING, 0, work).join();
    }
}
