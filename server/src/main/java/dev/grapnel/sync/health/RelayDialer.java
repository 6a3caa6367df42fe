package dev.grapnel.sync.health;

/// Carries out what [DialOrder] decides.
public interface RelayDialer {
    /// A relay has a place among those that are followed. Told before anything else of it.
    void followed(int relay);

    /// It has none any more, and no connection either.
    void dropped(int relay);

    /// Begins an attempt. Told later: one of `opened`, `refused`, `failed` and `parked`.
    void dial(int relay);

    /// Ends an attempt, of which nothing more is told, or a link, whose `lost` is still told when it is over.
    void leave(int relay);
}
