package dev.grapnel.store.row;

/// A constant that is stored as a number of its own, so that constants can be renamed and reordered. Numbers
/// are written to disk: a change needs a new schema version, a new constant a new number.
interface Coded {
    int code();
}
