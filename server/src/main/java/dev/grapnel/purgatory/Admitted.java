package dev.grapnel.purgatory;

import dev.grapnel.nostr.Refusal;
import dev.grapnel.store.SaveOutcome;

/// What became of an event at the gate. [#isAccepted] and [#message] are what OK says.
public sealed interface Admitted {
    /// The store has decided.
    record Stored(SaveOutcome outcome) implements Admitted {}

    /// Ephemeral: handed on to those who listen.
    record PassedOn() implements Admitted {}

    /// Ephemeral, and handed on before.
    record Repeated() implements Admitted {}

    /// Refused before the store was asked.
    record Refused(Refusal refusal) implements Admitted {}

    /// The flag of OK.
    default boolean isAccepted() {
        return switch (this) {
            case Stored(var outcome) -> outcome.isAccepted();
            case PassedOn _, Repeated _ -> true;
            case Refused _ -> false;
        };
    }

    /// The message of OK.
    default String message() {
        return switch (this) {
            case Stored(var outcome) -> outcome.message();
            case PassedOn _ -> "";
            case Repeated _ -> "duplicate: already have this event";
            case Refused(var refusal) -> refusal.toString();
        };
    }
}
