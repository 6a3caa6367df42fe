package dev.grapnel.store.lmdb;

/// When a commit reaches the device.
public enum Durability {
    /// Before the commit returns.
    SYNC,
    /// With the next [LmdbEngine#flush]. A crash of the process loses nothing, one of the machine may lose
    /// what came after the last flush, and may leave a damaged file.
    INTERVAL,
    /// When the system sees fit; flushing does nothing.
    NONE
}
