package dev.grapnel.purgatory.hunt;

/// Why a domain may not be asked now; metrics use the lower-case names of the first three.
public enum Obstacle {
    /// As many conversations as it may have.
    CONCURRENT,
    /// As many starts in a minute as it may have.
    RATE,
    /// It asked for a pause, or failed too often.
    PAUSED,
    /// Others wait for it already (P-644).
    QUEUE,
    /// All fetches of this server are taken (P-654).
    CAP,
    /// Its machine has as many connections as it may have (P-654).
    ADDRESS
}
