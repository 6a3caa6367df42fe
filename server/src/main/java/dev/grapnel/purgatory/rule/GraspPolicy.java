package dev.grapnel.purgatory.rule;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.purgatory.AcceptancePolicy;
import dev.grapnel.purgatory.Arrival;
import dev.grapnel.purgatory.Verdict;
import dev.grapnel.purgatory.pool.Pools;
import dev.grapnel.store.StoreView;

/// What a GRASP relay takes (service 4.1, steps 9 and 11).
public final class GraspPolicy implements AcceptancePolicy {
    private final AcceptanceRules rules;
    private final RepeatRule repeats;
    private final AnnouncementRule announcements;
    private final StateRule states;
    private final ProposalRule proposals;
    private final RelatedRule related;

    public GraspPolicy(AcceptanceRules rules, Pools pools) {
        this.rules = rules;
        this.repeats = new RepeatRule(rules, pools);
        this.announcements = new AnnouncementRule(rules, pools);
        this.states = new StateRule(rules, pools);
        this.proposals = new ProposalRule(rules, pools);
        this.related = new RelatedRule(rules);
    }

    @Override
    public Verdict judge(Arrival arrival, StoreView view) {
        var event = arrival.event();
        var unwanted = rules.lists().findRefusal(event.author()).filter(_ -> !isOperators(event));
        if (unwanted.isPresent()) {
            return Verdict.refuse(Refusals.blocked(unwanted.get()));
        }
        return view.findHeld(event.id())
                .map(row -> repeats.judge(row, arrival, view))
                .orElseGet(() -> judgeKind(arrival, view));
    }

    private boolean isOperators(Event event) {
        return event.author().equals(rules.operator());
    }

    private Verdict judgeKind(Arrival arrival, StoreView view) {
        return switch (arrival.event().kind()) {
            case Kinds.ANNOUNCEMENT -> announcements.judge(arrival, view);
            case Kinds.STATE -> states.judge(arrival, view);
            case Kinds.PULL_REQUEST, Kinds.PULL_REQUEST_UPDATE -> proposals.judge(arrival, view);
            case Kinds.DELETION -> Verdict.serve(); // whether it is served or only refuses is the store's to say
            default -> related.judge(arrival.event(), view);
        };
    }
}
