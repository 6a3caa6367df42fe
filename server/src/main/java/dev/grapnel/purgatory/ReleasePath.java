package dev.grapnel.purgatory;

import java.util.Locale;

/// On which way something that waited came into service (purgatory 10.1).
public enum ReleasePath {
    /// A push brought its git data.
    PUSH,
    /// Its git data was found elsewhere.
    HUNT,
    /// Its git data was here when it arrived.
    ARRIVAL,
    /// It was found to be complete when the server started.
    STARTUP,
    /// Its repository was put right.
    REPAIR,
    /// Somebody's announcement changed who belongs to whom.
    MEMBERSHIP;

    /// As it is written in logs and metrics.
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
