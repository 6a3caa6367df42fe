package dev.grapnel.store;

/// What happens to a transaction when the writer's queue is full.
public enum Urgency {
    /// A client's event: refused, the client tries again.
    REFUSABLE,
    /// Sync, releases, sweeps: the caller waits.
    WAITING
}
