package dev.grapnel.purgatory.hunt;

import dev.grapnel.nostr.repository.Oid;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/// What a visit came to.
///
/// @param failed how it ended, if not well; what came before counts all the same
/// @param advertised how many needed ids the server advertised
/// @param speculative how many others it was asked for
/// @param obtained needed ids that came
record Outcome(
        Optional<VisitFailed> failed, int advertised, int speculative, Set<Oid> obtained, long bytes, Duration took) {
    Outcome {
        obtained = Set.copyOf(obtained);
    }

    static Outcome failed(VisitFailed failure) {
        return new Outcome(Optional.of(failure), 0, 0, Set.of(), 0, Duration.ZERO);
    }

    /// Whether no request was made because the machine had no connection left.
    boolean isBusy() {
        return failed.isPresent() && failed.get().failure() instanceof Failure.BusyAddress;
    }

    /// Whether what was fetched for the identifier before left no room.
    boolean isAreaFull() {
        return failed.isPresent() && failed.get().failure().equals(new Failure.Full(Room.AREA));
    }

    boolean isCancelled() {
        return failed.isPresent() && failed.get().failure() instanceof Failure.Cancelled;
    }

    /// What exactly went wrong, for people; empty if nothing did.
    String reason() {
        return failed.map(VisitFailed::reason).orElse("");
    }

    /// As metrics, the log and people read it.
    String label() {
        return failed.map(failure -> failure.failure().label()).orElse("ok");
    }
}
