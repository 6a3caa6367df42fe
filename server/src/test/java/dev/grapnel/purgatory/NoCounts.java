package dev.grapnel.purgatory;

import dev.grapnel.store.row.Standing;

/// For worlds in which nobody counts what lists do.
final class NoCounts implements ListCounts {
    @Override
    public void removal(Phase phase) {}

    @Override
    public void restoration(Standing.Cause cause, boolean isDone) {}
}
