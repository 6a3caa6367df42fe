package dev.grapnel.purgatory;

import dev.grapnel.nostr.Refusal;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.purgatory.Arrival.Ground;
import dev.grapnel.store.SaveOutcome;
import java.util.Map;

/// What became of an event at the gate. [#isAccepted] and [#message] are what OK says.
public sealed interface Admitted {
    /// The store has decided.
    record Stored(SaveOutcome outcome) implements Admitted {}

    /// Its git data was here: it is served.
    record Released() implements Admitted {}

    /// Ephemeral: handed on to those who listen.
    record PassedOn() implements Admitted {}

    /// Ephemeral, and handed on before.
    record Repeated() implements Admitted {}

    /// Refused before the store was asked.
    ///
    /// @param cause for other parts of the server, which must not read texts
    record Refused(Refusal refusal, Cause cause) implements Admitted {}

    /// Not decided: it needs repositories first. Nobody outside of this package is told.
    record Unprepared(Map<RepositoryAddress, Ground> repositories) implements Admitted {
        public Unprepared {
            repositories = Map.copyOf(repositories);
        }
    }

    /// The flag of OK.
    default boolean isAccepted() {
        return switch (this) {
            case Stored(var outcome) -> outcome.isAccepted();
            case Released _, PassedOn _, Repeated _ -> true;
            case Refused _, Unprepared _ -> false;
        };
    }

    /// The message of OK.
    default String message() {
        return switch (this) {
            case Stored(var outcome) -> outcome.message();
            case Released _, PassedOn _ -> "";
            case Repeated _ -> "duplicate: already have this event";
            case Refused(var refusal, var _) -> refusal.toString();
            case Unprepared _ -> "error: the repository could not be made, try again";
        };
    }
}
