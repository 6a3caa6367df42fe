package dev.grapnel.purgatory;

import java.util.Locale;

/// What becomes of what was pushed before anybody signed it (purgatory 10.1).
public enum StagingOutcome {
    /// It may come.
    RESERVED,
    /// It is here and waits.
    CONFIRMED,
    /// Its event is served.
    PROMOTED,
    /// Nobody signed it in time.
    EXPIRED,
    /// Somebody signed something else.
    MISMATCH,
    /// There was no room for it.
    OVER_QUOTA,
    /// The push did not end well.
    FAILED,
    /// The server ended while it came.
    CRASHED;

    /// As it is counted.
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
