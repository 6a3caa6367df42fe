package dev.grapnel.sync.index;

/// Hears what a batch of mutations changed (R8.3), while it is applied. Only what changed is told.
public interface IndexChange {
    /// A pair has come to be, or more is wanted of its repository than before: level, roots or state addresses.
    void grown(int pair);

    /// Some of the roots that another pair of the relay was to ask for are this one's now: from the first of
    /// them on all are about to count as not asked for.
    default void setBack(int pair) {
        grown(pair);
    }

    /// Less is wanted of a pair's repository: its level fell, entries of its lists are gone, or an older answer took
    /// the place of one below its roots.
    void shrunk(int pair);

    /// A pair is about to end; it can still be read.
    void ended(int pair);

    /// A root has more members, or fewer.
    void threadChanged(int root);
}
