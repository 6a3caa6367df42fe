package dev.grapnel.sync.index;

/// Something long, cut into steps of some microseconds each, so that no turn of the loop takes long (sync 8.3).
interface Work {
    /// Does a step.
    ///
    /// @return whether there is more to do
    boolean advance();
}
