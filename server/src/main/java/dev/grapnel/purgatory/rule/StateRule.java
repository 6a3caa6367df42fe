package dev.grapnel.purgatory.rule;

import dev.grapnel.nostr.Parsed;
import dev.grapnel.nostr.Refusal;
import dev.grapnel.nostr.Refusal.Prefix;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.repository.Maintainers;
import dev.grapnel.nostr.repository.NotAuthorized;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.nostr.repository.RepositoryState;
import dev.grapnel.purgatory.Arrival;
import dev.grapnel.purgatory.Cause;
import dev.grapnel.purgatory.DropReason;
import dev.grapnel.purgatory.Effect;
import dev.grapnel.purgatory.Verdict;
import dev.grapnel.purgatory.pool.Announced;
import dev.grapnel.purgatory.pool.HeldVoice;
import dev.grapnel.purgatory.pool.Pool;
import dev.grapnel.purgatory.pool.Pools;
import dev.grapnel.purgatory.pool.WaitingState;
import dev.grapnel.store.StoreView;
import dev.grapnel.store.row.HeldAnnouncement.Phase;
import dev.grapnel.store.row.HeldState;
import dev.grapnel.store.row.Source;
import dev.grapnel.store.table.Table;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// States (service 4.5, purgatory 2.3). All that are taken wait: whether their objects are here is looked
/// at afterwards.
final class StateRule {
    private static final Refusal NO_ANNOUNCEMENT = Refusal.invalid("no announcement exists for this repository");

    private final AcceptanceRules rules;
    private final Pools pools;

    StateRule(AcceptanceRules rules, Pools pools) {
        this.rules = rules;
        this.pools = pools;
    }

    Verdict judge(Arrival arrival, StoreView view) {
        return switch (RepositoryState.parse(arrival.event())) {
            case Parsed.Invalid<RepositoryState>(var reason) -> Verdict.refuse(Refusal.invalid(reason));
            case Parsed.Valid<RepositoryState>(var state) ->
                judge(state, pools.seenBy(view, state.identifier()), arrival, view);
        };
    }

    private Verdict judge(RepositoryState state, Pool pool, Arrival arrival, StoreView view) {
        if (!pool.isAnnounced()) {
            return Verdict.refuse(NO_ANNOUNCEMENT, Cause.STATE_NOT_AUTHORISED);
        }
        if (!pool.authorises(state.author())) {
            return Verdict.refuse(notAuthorized(state, pool), Cause.STATE_NOT_AUTHORISED);
        }
        boolean isOlder = state.event()
                .findAddress()
                .flatMap(view::findCurrent)
                .filter(served -> state.event().isOlderThan(served.version()))
                .isPresent();
        if (isOlder) {
            return Verdict.refuse(Refusals.OLDER, Cause.SUPERSEDED);
        }
        if (!arrival.hasData() && ExpiredMemory.refuses(arrival, view)) {
            return new Verdict.RefuseWaiting(Refusals.EXPIRED, Cause.EXPIRED);
        }
        return judgeRoom(state, pool, arrival, view);
    }

    private static Refusal notAuthorized(RepositoryState state, Pool pool) {
        var cause = NotAuthorized.findCause(state.author(), pool.hostedOwners(), pool, new Sets(pool))
                .map(text -> " (" + text + ")")
                .orElse("");
        return new Refusal(Prefix.RESTRICTED, "author not authorized for this repository" + cause);
    }

    private record Sets(Pool pool) implements NotAuthorized.Sets {
        @Override
        public Maintainers of(PublicKey owner) {
            return pool.maintainers(owner);
        }

        @Override
        public Optional<PublicKey> findInviter(PublicKey person) {
            return pool.findInviter(person);
        }

        @Override
        public boolean areEmpty() {
            return pool.isAuthorisingNobody();
        }
    }

    /// The oldest of an author's states makes room for a newer one (P-112). One that is older than all
    /// others would be that itself: nobody is told that it is kept.
    private Verdict judgeRoom(RepositoryState state, Pool pool, Arrival arrival, StoreView view) {
        if (arrival.hasData()) {
            return hold(state, pool, arrival, view, List.of()); // for a moment
        }
        var limits = rules.limits();
        var own = pool.statesOf(state.author());
        if (own.size() < limits.statesPerAuthor()) {
            return view.count(Table.HELD_STATES) < HeldLimits.share(limits.states(), arrival)
                    ? hold(state, pool, arrival, view, List.of())
                    : new Verdict.RefuseWaiting(HeldLimits.FULL, Cause.TRANSIENT);
        }
        var oldest =
                own.stream().min(Comparator.comparing(WaitingState::version)).orElseThrow();
        return state.version().isNewerThan(oldest.version())
                ? hold(state, pool, arrival, view, List.of(new Effect.Drop(oldest.id(), DropReason.SUPERSEDED)))
                : new Verdict.RefuseWaiting(HeldLimits.FULL, Cause.TRANSIENT);
    }

    private Verdict hold(RepositoryState state, Pool pool, Arrival arrival, StoreView view, List<Effect> drops) {
        var time = pools.time();
        long deadline = time.after(rules.expiry());
        var kept = state.isEmpty() ? List.<Announced>of() : pool.keptBy(Set.of(state.author()));
        var reviving = kept.stream()
                .filter(entry -> isSoft(entry) && pool.isMember(state.author(), entry.author()))
                .toList();
        var missing = reviving.stream()
                .map(entry -> addressOf(entry, pool))
                .filter(address -> !arrival.grounds().containsKey(address))
                .toList();
        if (!missing.isEmpty()) {
            return Verdict.prepare(missing);
        }
        var effects = new ArrayList<>(drops);
        effects.addAll(ExpiredMemory.lifting(arrival, view));
        var lasting = kept.stream().filter(entry -> !reviving.contains(entry)).toList();
        effects.addAll(Lifetimes.extend(lasting, deadline, time));
        reviving.forEach(entry ->
                entry.held().ifPresent(held -> effects.add(revive(addressOf(entry, pool), held, deadline))));
        var source = arrival.isSynced() ? Source.SYNC : Source.DIRECT;
        return new Verdict.Hold(
                new HeldState(state.event(), time.wall(), time.wallAt(deadline), source, arrival.relay()), effects);
    }

    private static boolean isSoft(Announced entry) {
        return entry.held().filter(held -> held.phase() == Phase.SOFT_EXPIRED).isPresent();
    }

    private static RepositoryAddress addressOf(Announced entry, Pool pool) {
        return new RepositoryAddress(entry.author(), pool.identifier());
    }

    /// A8: only announcements that authorise the state have their repositories back.
    private Effect revive(RepositoryAddress address, HeldVoice held, long deadline) {
        return new Effect.Revive(
                held.voice().version().id(),
                address,
                held.terms(deadline, pools.time()).in(Phase.ACTIVE));
    }
}
