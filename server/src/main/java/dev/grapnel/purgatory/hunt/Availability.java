package dev.grapnel.purgatory.hunt;

/// Whether a URL may be asked now.
enum Availability {
    OPEN,
    /// The domain has no permit left, or others wait for it.
    THROTTLED,
    /// The domain asked for a pause or failed too often.
    PAUSED,
    /// The domain or the URL is left alone for long.
    NAUGHTY,
    /// The URL is left alone for a while, or for ever.
    RESTING,
    /// Somebody fetches from it for the same identifier already (P-650).
    TAKEN
}
