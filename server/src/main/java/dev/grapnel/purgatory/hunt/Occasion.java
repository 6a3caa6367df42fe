package dev.grapnel.purgatory.hunt;

/// Why an identifier is hunted afresh (P-602).
public enum Occasion {
    /// A client published an event: its push is waited for.
    DIRECT,
    /// Another relay delivered one.
    SYNCED,
    /// An announcement is served now and proposals wait for it.
    PROMOTED,
    /// Served data lacks objects.
    REPAIR,
    /// The operator asks for it now.
    OPERATOR
}
