package dev.grapnel.purgatory.reconcile;

import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.repository.RepositoryState;
import dev.grapnel.purgatory.pool.HeldVoice;
import dev.grapnel.store.row.HeldAnnouncement;
import java.util.List;
import java.util.Map;

/// What can be served now (purgatory 5.2.5).
///
/// @param announcements owners whose held announcement is released
/// @param states that are released, the oldest first
record Selection(List<PublicKey> announcements, List<RepositoryState> states) {
    Selection {
        announcements = List.copyOf(announcements);
        states = List.copyOf(states);
    }

    /// What became of one repository.
    ///
    /// @param isAligned whether its refs are what its goal says
    /// @param hasContent whether it has a branch or a tag
    record Result(boolean isAligned, boolean hasContent) {}

    /// @param results by owner; who is missing failed
    static Selection of(Situation situation, Plan plan, Map<PublicKey, Result> results) {
        var promoted = plan.goals().stream()
                .filter(goal -> !goal.isServed()
                        && isWaiting(goal.owner(), situation)
                        && resultOf(goal.owner(), results).isAligned()
                        && resultOf(goal.owner(), results).hasContent())
                .map(Plan.Goal::owner)
                .toList();
        // an update that waits beside a served announcement needs nothing but its repository
        var released = plan.ready().reversed().stream()
                .filter(state -> plan.goals().stream()
                        .anyMatch(goal -> (goal.isServed() || promoted.contains(goal.owner()))
                                && resultOf(goal.owner(), results).isAligned()
                                && situation.pool().isMember(state.author(), goal.owner())))
                .toList();
        return new Selection(promoted, released);
    }

    private static Result resultOf(PublicKey owner, Map<PublicKey, Result> results) {
        return results.getOrDefault(owner, new Result(false, false));
    }

    private static boolean isWaiting(PublicKey owner, Situation situation) {
        return situation
                .pool()
                .findAnnounced(owner)
                .flatMap(entry -> entry.held())
                .map(HeldVoice::phase)
                .filter(phase -> phase == HeldAnnouncement.Phase.ACTIVE)
                .isPresent();
    }

    boolean isNothing() {
        return announcements.isEmpty() && states.isEmpty();
    }
}
