package dev.grapnel.sync.sim;

import java.util.List;

/// The sync core of one node, as the simulation sees it.
public interface Core {
    /// Begins, on the loop.
    void start();

    /// Ends in order, on the loop: what is kept in files is written.
    void stop();

    /// What only the core itself can tell about an invariant of 10.3; empty if all is well.
    ///
    /// @param moment whether the world is quiet
    default List<String> problems(Watched invariant, Moment moment) {
        return List.of();
    }

    /// Invariants that cannot be seen from outside.
    enum Watched {
        /// No double subscription.
        I4,
        /// Confirmed items are wanted, and none of a failed batch.
        I5,
        /// The incremental target equals the recomputed one.
        I6,
        /// The diff is empty.
        I7,
        /// Every cap holds.
        I9
    }

    /// When it is asked.
    enum Moment {
        /// After any step.
        STEP,
        /// Nothing has happened for a while.
        QUIET
    }
}
