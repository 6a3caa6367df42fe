package dev.grapnel.purgatory;

import dev.grapnel.store.row.Standing;

/// Told how often lists took repositories offline and brought them back (service 11).
public interface ListCounts {
    /// How far a removal came.
    enum Phase {
        ATTEMPTED,
        SUCCEEDED
    }

    void removal(Phase phase);

    void restoration(Standing.Cause cause, boolean isDone);
}
