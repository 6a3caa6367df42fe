package dev.grapnel.store;

import java.util.List;

/// What a [Tail] found.
public sealed interface TailStep {
    /// What happened next; may be empty.
    record Changes(List<Change> changes) implements TailStep {}

    /// The follower is so far behind that removals it has not seen are forgotten: it must read everything
    /// again, from the commit number given here.
    record Lost(long commitNumber) implements TailStep {}
}
