package dev.grapnel.purgatory;

import dev.grapnel.nostr.Refusal;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.store.StoreView;
import dev.grapnel.store.row.Held;

/// Whether an event belongs here (relay 4.9). A pure function of its arguments: it is asked inside the
/// transaction that carries out its answer, and may be asked again.
@FunctionalInterface
public interface AcceptancePolicy {
    /// Takes every valid event.
    AcceptancePolicy ANYTHING = (_, _, _) -> new Verdict.Accept();

    /// Judges an event whose form, hash, signature and date are right.
    Verdict judge(Event event, Origin origin, StoreView view);

    /// The answer.
    sealed interface Verdict {
        /// It may be served.
        record Accept() implements Verdict {}

        /// It must wait.
        record Hold(Held row) implements Verdict {}

        /// It is not taken.
        record Reject(Refusal refusal) implements Verdict {}
    }
}
