package dev.grapnel.purgatory.hunt;

import java.util.List;

/// What waits under one identifier.
///
/// @param holdsEvents whether a held state, or a held proposal, names it (P-133)
/// @param isReady whether one of them has all it needs and only waits to be served
/// @param needs what lacks objects, served data included, in the order in which it is to be served by fetches
public record Pending(boolean holdsEvents, boolean isReady, List<Need> needs) {
    /// Nothing waits.
    public static final Pending NOTHING = new Pending(false, false, List.of());

    public Pending {
        needs = List.copyOf(needs);
    }

    /// Whether there is nothing to hunt for and nothing to release (P-632).
    public boolean isEmpty() {
        return !holdsEvents && needs.isEmpty();
    }

    /// Whether only served data lacks objects (P-608).
    public boolean isRepair() {
        return !holdsEvents && !needs.isEmpty();
    }

    /// Whether something lacks objects and may still be fetched for (P-667).
    public boolean isHuntable() {
        return needs.stream().anyMatch(need -> !need.isOverdue() && !need.tips().isEmpty());
    }
}
