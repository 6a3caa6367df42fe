package dev.grapnel.store;

/// Which history a store has, for those who keep beside it what they made of it: each process that serves it leaves
/// a mark that nobody else has. A copy of a store, or one that was put back from a copy, has the marks of the
/// original up to the moment of copying, so what was made under a mark holds for every store that has it as the
/// last one and has come at least as far.
///
/// @param former of the process before; 0 if there was none
/// @param current of this one; 0 if it leaves none
public record Lineage(long former, long current) {
    /// Of a store that nobody can recognise.
    public static final Lineage UNKNOWN = new Lineage(0, 0);
}
