package dev.grapnel.purgatory.rule;

import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.nostr.repository.RepositoryState;
import dev.grapnel.purgatory.Arrival;
import dev.grapnel.purgatory.Effect;
import dev.grapnel.purgatory.Verdict;
import dev.grapnel.purgatory.pool.Pools;
import dev.grapnel.store.StoreView;
import dev.grapnel.store.row.Held;
import dev.grapnel.store.row.HeldAnnouncement;
import dev.grapnel.store.row.HeldAnnouncement.Phase;
import dev.grapnel.store.row.HeldState;
import dev.grapnel.store.row.Source;
import dev.grapnel.store.row.Terms;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// A held event that comes once more (A5, A6, S3, P-222). Nobody can keep an entry alive by repeating
/// somebody else's event: only the first time a client brings what sync had found does its time begin anew.
final class RepeatRule {
    private final AcceptanceRules rules;
    private final Pools pools;

    RepeatRule(AcceptanceRules rules, Pools pools) {
        this.rules = rules;
        this.pools = pools;
    }

    Verdict judge(Held row, Arrival arrival, StoreView view) {
        boolean isSoft = row instanceof HeldAnnouncement announcement && announcement.phase() == Phase.SOFT_EXPIRED;
        if (arrival.isSynced() || (!isSoft && row.source() == Source.DIRECT)) {
            return new Verdict.Keep(List.of());
        }
        if (isSoft && !arrival.grounds().containsKey(addressOf((HeldAnnouncement) row))) {
            return Verdict.prepare(List.of(addressOf((HeldAnnouncement) row)));
        }
        var effects = new ArrayList<Effect>();
        effects.add(
                isSoft
                        ? new Effect.Revive(row.event().id(), addressOf((HeldAnnouncement) row), begun(row, true))
                        : new Effect.Amend(row.event().id(), begun(row, false)));
        if (row instanceof HeldState state) {
            effects.addAll(keep(state, view));
        }
        return new Verdict.Keep(effects);
    }

    private static RepositoryAddress addressOf(HeldAnnouncement row) {
        return row.repository();
    }

    /// What must last as long as a state does that begins anew.
    private List<Effect> keep(HeldState row, StoreView view) {
        boolean isEmpty = RepositoryState.parse(row.event())
                .find()
                .filter(RepositoryState::isEmpty)
                .isPresent();
        var time = pools.time();
        var author = row.event().author();
        return isEmpty
                ? List.of()
                : Lifetimes.extend(
                        pools.seenBy(view, row.identifier()).keptBy(Set.of(author)), time.after(rules.expiry()), time);
    }

    private Terms begun(Held row, boolean isSoft) {
        var time = pools.time();
        var terms = row.terms().until(time.wallAt(time.after(rules.expiry()))).from(Source.DIRECT);
        return isSoft ? terms.in(Phase.ACTIVE) : terms;
    }
}
