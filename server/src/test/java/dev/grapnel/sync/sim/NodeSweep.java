package dev.grapnel.sync.sim;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.purgatory.DropReason;
import dev.grapnel.purgatory.Happening;
import dev.grapnel.purgatory.Happenings;
import dev.grapnel.purgatory.PurgatoryConfig;
import dev.grapnel.purgatory.pool.Announced;
import dev.grapnel.purgatory.pool.HeldVoice;
import dev.grapnel.purgatory.pool.Pool;
import dev.grapnel.purgatory.pool.Pools;
import dev.grapnel.purgatory.pool.WaitingProposal;
import dev.grapnel.purgatory.pool.WaitingState;
import dev.grapnel.store.EventStore;
import dev.grapnel.store.StoreTransaction;
import dev.grapnel.store.Urgency;
import dev.grapnel.store.row.ExpiredEvent;
import dev.grapnel.store.row.Held;
import dev.grapnel.store.row.HeldAnnouncement.Phase;
import dev.grapnel.store.row.RowKeys;
import dev.grapnel.store.table.Table;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// Lets go of what has waited long enough (purgatory 2.5), as the real sweep does, but one after the other and without
/// repositories on disk.
final class NodeSweep {
    private final EventStore store;
    private final Pools pools;
    private final Happenings happenings;
    private final PurgatoryConfig config;

    NodeSweep(EventStore store, Pools pools, Happenings happenings, PurgatoryConfig config) {
        this.store = store;
        this.pools = pools;
        this.happenings = happenings;
        this.config = config;
    }

    void run() {
        var total = pools.total();
        if (total.active() + total.soft() + total.references() + total.states() + pools.proposalCount() == 0) {
            return;
        }
        var due = pools.all().stream()
                .filter(this::isDue)
                .sorted(Comparator.comparing(Pool::identifier))
                .toList();
        due.forEach(pool -> pool.announced().forEach(this::sweep));
        due.forEach(this::sweepStates);
        var proposals = new ArrayList<WaitingProposal>();
        due.forEach(pool -> proposals.addAll(pool.proposals()));
        proposals.addAll(pools.namelessProposals());
        proposals.stream()
                .filter(proposal -> isOver(proposal.deadline(), proposal.expiry()))
                .sorted(Comparator.comparing(WaitingProposal::id))
                .forEach(proposal -> drop(proposal.id(), !isSilent(proposal.expiry())));
    }

    private boolean isDue(Pool pool) {
        return pool.announced().stream()
                        .flatMap(entry -> entry.held().stream())
                        .anyMatch(held -> isOver(held.deadline(), held.voice().expiry()))
                || pool.states().stream().anyMatch(state -> isOver(state.deadline(), state.expiry()))
                || pool.proposals().stream().anyMatch(proposal -> isOver(proposal.deadline(), proposal.expiry()));
    }

    private boolean isOver(long deadline, long expiry) {
        return deadline <= pools.time().now() || isSilent(expiry);
    }

    private boolean isSilent(long expiry) {
        return expiry <= pools.time().wall().getEpochSecond();
    }

    private void sweep(Announced entry) {
        entry.held()
                .filter(held -> isOver(held.deadline(), held.voice().expiry()))
                .ifPresent(held -> sweep(entry, held));
    }

    private void sweep(Announced entry, HeldVoice held) {
        var id = held.voice().version().id();
        if (isSilent(held.voice().expiry())) {
            drop(id, false);
        } else if (held.phase() == Phase.SOFT_EXPIRED || (held.phase() == Phase.ACTIVE && entry.carries())) {
            drop(id, true);
        } else if (held.phase() == Phase.ACTIVE) {
            var time = pools.time();
            var terms = held.terms(time.after(config.softExpiry()), time).in(Phase.SOFT_EXPIRED);
            write(transaction -> transaction.amend(id, terms));
        }
    }

    private void sweepStates(Pool pool) {
        pool.states().stream()
                .filter(state -> isOver(state.deadline(), state.expiry()))
                .sorted(Comparator.comparing(WaitingState::version))
                .forEach(state -> drop(state.id(), !isSilent(state.expiry())));
    }

    private void drop(EventId id, boolean isRemembered) {
        write(transaction -> transaction.drop(id).ifPresent(row -> {
            happenings.note(new Happening.Dropped(row, DropReason.EXPIRED));
            if (isRemembered) {
                remember(row, transaction);
            }
        }));
    }

    private void remember(Held row, StoreTransaction transaction) {
        var id = row.event().id();
        var now = pools.time().wall();
        transaction.put(transaction
                .findRow(Table.EXPIRED_EVENTS, RowKeys.event(id))
                .map(found -> ((ExpiredEvent) found).expiredAgain(now, Optional.empty()))
                .orElseGet(() -> new ExpiredEvent(id, row.event().kind(), now, now, 0, false, Optional.empty())));
    }

    /// Forgets what has been remembered long enough.
    void forget() {
        var end = pools.time().wall().minus(config.expiredTime());
        List<Bytes> over = store.read(view -> {
            var keys = new ArrayList<Bytes>();
            view.forEachRow(Table.EXPIRED_EVENTS, Bytes.EMPTY, row -> {
                if (!((ExpiredEvent) row).firstExpiredAt().isAfter(end)) {
                    keys.add(row.key());
                }
            });
            return keys;
        });
        if (!over.isEmpty()) {
            write(transaction -> over.forEach(key -> transaction.remove(Table.EXPIRED_EVENTS, key)));
        }
    }

    private interface Work {
        void in(StoreTransaction transaction);
    }

    private void write(Work work) {
        store.write(Urgency.WAITING, 0, transaction -> {
                    work.in(transaction);
                    return true;
                })
                .join();
    }
}
