package dev.grapnel.sync.link;

import java.time.Duration;
import java.util.Collection;

/// How long something is left alone: it was refused before (R4.3), or all of its kind is (6.1).
final class Rests {
    private final RefusedFilters refused;
    private final Patience patience;

    Rests(RefusedFilters refused, Patience patience) {
        this.refused = refused;
        this.patience = patience;
    }

    RefusedFilters refused() {
        return refused;
    }

    boolean isResting(Task task) {
        return left(task).isPositive();
    }

    private Duration left(Task task) {
        var own = refused.left(task);
        var ofKind = patience.left(task.kind());
        return own.compareTo(ofKind) > 0 ? own : ofKind;
    }

    /// How long until one of these may be asked for again.
    Duration shortest(Collection<Task> tasks) {
        return tasks.stream()
                .map(this::left)
                .filter(Duration::isPositive)
                .min(Duration::compareTo)
                .orElse(Refusals.POLICY_TIME);
    }

    /// How long until the first of all that is refused may be asked for again.
    Duration untilAskedAgain() {
        return patience.rests() ? patience.left().plus(RefusedFilters.TOGETHER) : refused.soonest();
    }

    /// Whether nothing at all is asked for.
    boolean isEverything() {
        return patience.rests();
    }
}
