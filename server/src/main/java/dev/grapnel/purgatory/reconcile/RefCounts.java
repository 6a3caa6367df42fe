package dev.grapnel.purgatory.reconcile;

import dev.grapnel.git.refs.RefChange;
import java.util.List;

/// How many refs were made, moved and taken away, and how many `HEAD`s were set.
public record RefCounts(int created, int updated, int deleted, int heads) {
    public static final RefCounts NONE = new RefCounts(0, 0, 0, 0);

    static RefCounts of(Alignment alignment) {
        var counts = of(alignment.changes());
        return alignment.head().isPresent() ? new RefCounts(counts.created, counts.updated, counts.deleted, 1) : counts;
    }

    static RefCounts of(List<RefChange> changes) {
        int created = (int) changes.stream().filter(RefChange::isCreation).count();
        int deleted = (int) changes.stream().filter(RefChange::isDeletion).count();
        return new RefCounts(created, changes.size() - created - deleted, deleted, 0);
    }

    public RefCounts plus(RefCounts other) {
        return new RefCounts(
                created + other.created, updated + other.updated, deleted + other.deleted, heads + other.heads);
    }

    public boolean isNothing() {
        return equals(NONE);
    }
}
