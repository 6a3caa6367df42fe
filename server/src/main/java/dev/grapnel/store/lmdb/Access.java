package dev.grapnel.store.lmdb;

/// What a store's directory is opened for.
enum Access {
    /// Nothing of the store is changed, so several may read at once.
    READING,
    /// By one alone.
    WRITING
}
