package dev.grapnel.purgatory;

import dev.grapnel.store.StoreView;

/// Whether an event belongs here (relay 4.9). A pure function of the arrival and of what the view shows: it
/// is asked before anything is written, and again inside the transaction that carries out its answer.
@FunctionalInterface
public interface AcceptancePolicy {
    /// Takes every valid event.
    AcceptancePolicy ANYTHING = (_, _) -> Verdict.serve();

    /// Judges an event whose form, hash, signature and date are right and which nothing forbids to come. It
    /// may be held already; then only [Verdict.Keep] and [Verdict.Prepare] are answers.
    Verdict judge(Arrival arrival, StoreView view);
}
