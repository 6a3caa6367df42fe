package dev.grapnel.sync.received;

import java.io.IOException;

/// Hears what the operator should know about received events; writes log lines. Called on the loop.
public interface IntakeNotes {
    /// Says nothing.
    IntakeNotes NONE = new IntakeNotes() {};

    /// No file of refused events was found: the index starts empty.
    default void refusedMissing() {}

    /// A file of refused events cannot be used; what was in it is forgotten.
    default void refusedUnusable(String file, String reason) {}

    /// A file of refused events cannot be written now; it is tried again.
    default void refusedUnwritten(String file, IOException problem) {}

    /// The refused events were judged by other rules than today's, and are forgotten (R7.19).
    default void refusedOutdated() {}

    /// Refused events were looked at again, because what they waited for came.
    ///
    /// @param readmitted judged again at once
    /// @param refetched asked for again
    default void reprocessed(int readmitted, int refetched) {}
}
