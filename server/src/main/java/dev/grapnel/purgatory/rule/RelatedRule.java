package dev.grapnel.purgatory.rule;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.purgatory.Cause;
import dev.grapnel.purgatory.Verdict;
import dev.grapnel.store.StoreView;

/// Everything that is neither an announcement, a state nor a proposal (service 4.7, 4.8).
final class RelatedRule {
    private final AcceptanceRules rules;

    RelatedRule(AcceptanceRules rules) {
        this.rules = rules;
    }

    Verdict judge(Event event, StoreView view) {
        if (rules.privateKinds().contains(event.kind())) {
            return Verdict.refuse(Refusals.blocked("private messages are not kept here"));
        }
        boolean isWelcome = event.kind() == Kinds.GRASP_LIST
                || event.author().equals(rules.operator())
                || new Anchors(view).relate(event);
        if (!isWelcome) {
            return Verdict.refuse(Refusals.UNRELATED, Cause.ORPHAN);
        }
        return isOlder(event, view) ? Verdict.refuse(Refusals.OLDER, Cause.SUPERSEDED) : Verdict.serve();
    }

    /// The store would say so, too, but only the writer can ask it.
    private static boolean isOlder(Event event, StoreView view) {
        return event.findAddress()
                .flatMap(view::findCurrent)
                .filter(served -> event.isOlderThan(served.version()))
                .isPresent();
    }
}
