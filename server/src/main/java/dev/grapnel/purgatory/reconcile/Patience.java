package dev.grapnel.purgatory.reconcile;

/// How long somebody waits.
@FunctionalInterface
public interface Patience {
    /// As long as it takes.
    Patience ENDLESS = () -> false;

    /// Whether what is not begun yet is to be left for later.
    boolean isOver();
}
