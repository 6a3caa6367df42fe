package dev.grapnel.store.engine;

/// What must be looked at in an event that lists name for a filter.
enum Check {
    /// Nothing: the lists say everything.
    NONE,
    /// Its id: the index knows the first half only.
    ID,
    /// Its kind: there were few postings of all kinds.
    KIND,
    /// Everything the filter asks for.
    ALL
}
