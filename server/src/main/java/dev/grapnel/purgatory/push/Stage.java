package dev.grapnel.purgatory.push;

/// When a push is judged.
public enum Stage {
    /// What is missing may still come with the pack.
    BEFORE_PACK,
    /// What the push brought counts as here; nothing else will come.
    AFTER_PACK
}
