package dev.grapnel.nostr.repository;

/// Who becomes a maintainer.
public enum MaintainerModel {
    /// Whoever is listed and has accepted by listing back (service 5.1.3).
    CONFIRMED,
    /// Whoever is listed, accepted or not: for networks of older software (service 5.1.5).
    RECURSIVE
}
