package dev.grapnel.purgatory.reconcile;

import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.repository.RepositoryState;
import dev.grapnel.purgatory.pool.Announced;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// What shall become of an identifier's repositories and states (purgatory 5.2.2 and 5.2.3).
///
/// @param goals one for each repository that follows states, ascending by owner
/// @param ready states that wait in vain, the newest of each author, the newest first
/// @param superseded states that wait though their author has said something newer that is served
record Plan(List<Goal> goals, List<RepositoryState> ready, List<EventId> superseded) {
    Plan {
        goals = List.copyOf(goals);
        ready = List.copyOf(ready);
        superseded = List.copyOf(superseded);
    }

    /// What one owner's repository shall be.
    ///
    /// @param winner the state that governs it; without one its refs stay as they are
    record Goal(PublicKey owner, boolean isServed, Optional<RepositoryState> winner) {}

    static Plan of(Situation situation, Readiness.Examination examination) throws IOException {
        var superseded = situation.held().stream()
                .filter(state -> isSuperseded(state, situation.served()))
                .toList();
        var ready = ready(situation, superseded, examination);
        var goals = new ArrayList<Goal>();
        for (var entry : situation.pool().announced()) {
            if (isAligned(entry)) {
                goals.add(new Goal(
                        entry.author(), entry.isServedHosted(), winner(entry.author(), situation, ready, examination)));
            }
        }
        return new Plan(
                goals,
                ready,
                superseded.stream().map(state -> state.event().id()).toList());
    }

    /// Whether states decide about its refs: there is a repository, and it was not withdrawn.
    private static boolean isAligned(Announced entry) {
        return entry.hasRepository() && entry.isHosted();
    }

    private static boolean isSuperseded(RepositoryState state, List<RepositoryState> served) {
        return served.stream()
                .anyMatch(other -> other.author().equals(state.author())
                        && !state.version().isNewerThan(other.version()));
    }

    private static List<RepositoryState> ready(
            Situation situation, List<RepositoryState> superseded, Readiness.Examination examination)
            throws IOException {
        var ready = new ArrayList<RepositoryState>();
        var authors = new HashSet<PublicKey>();
        for (var state : situation.held()) {
            boolean counts = !authors.contains(state.author())
                    && !superseded.contains(state)
                    && situation.pool().authorises(state.author());
            if (counts && examination.of(state) == Readiness.READY) {
                ready.add(state);
                authors.add(state.author());
            }
        }
        return ready;
    }

    /// A(O,d), with states that are ready counted as served (service 5.3).
    private static Optional<RepositoryState> winner(
            PublicKey owner, Situation situation, List<RepositoryState> ready, Readiness.Examination examination)
            throws IOException {
        var candidates = Stream.concat(situation.served().stream(), ready.stream())
                .filter(state -> situation.pool().isMember(state.author(), owner))
                .sorted(Comparator.comparing(RepositoryState::version).reversed())
                .toList();
        for (var candidate : candidates) {
            if (examination.of(candidate) != Readiness.HOPELESS) {
                return Optional.of(candidate);
            }
        }
        return Optional.empty();
    }
}
