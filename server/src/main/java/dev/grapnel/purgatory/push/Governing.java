package dev.grapnel.purgatory.push;

import dev.grapnel.nostr.repository.Maintainers;
import dev.grapnel.nostr.repository.RepositoryState;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Which states decide the refs of one repository (service 5.3, purgatory P-312).
///
/// Only states of its own maintainers count, in the one order [dev.grapnel.nostr.event.Version]. An older held
/// state is in none of the fields but `held`: it could only roll the repository back.
///
/// @param maintainers M(O,d)
/// @param authoritative A(O,d): the newest that is served and can be applied some day
/// @param inForce what the refs shall be: A(O,d), or a newer held one that needs nothing more, empty ones in
///         practice
/// @param candidates C(O,d): held ones newer than that, newest first
/// @param held every state of the identifier that waits, of whomever, newest first
public record Governing(
        Maintainers maintainers,
        Optional<RepositoryState> authoritative,
        Optional<RepositoryState> inForce,
        List<RepositoryState> candidates,
        List<RepositoryState> held) {
    private static final Comparator<RepositoryState> NEWEST_FIRST =
            Comparator.comparing(RepositoryState::version).reversed();

    public Governing {
        candidates = List.copyOf(candidates);
        held = List.copyOf(held);
    }

    /// Picks among the states of an identifier.
    ///
    /// Objects that a push has only just brought must not count for `applicable`: a newer state that they
    /// complete has its turn when that push is done.
    ///
    /// @param maintainers of the repository
    /// @param served states of the identifier that everybody sees
    /// @param held states of the identifier that wait
    /// @param applicable asked for as few of them as possible
    public static Governing among(
            Maintainers maintainers,
            Collection<RepositoryState> served,
            Collection<RepositoryState> held,
            Applicability applicable) {
        var waiting = held.stream().sorted(NEWEST_FIRST).toList();
        var ofMembers = ofMembers(waiting, maintainers);
        var authoritative = ofMembers(served, maintainers).stream()
                .sorted(NEWEST_FIRST)
                .filter(state -> !applicable.isNever(state))
                .findFirst();
        var inForce = ofMembers.stream()
                .takeWhile(state -> isNewer(state, authoritative))
                .filter(applicable::needsNothing)
                .findFirst()
                .or(() -> authoritative);
        var candidates =
                ofMembers.stream().takeWhile(state -> isNewer(state, inForce)).toList();
        return new Governing(maintainers, authoritative, inForce, candidates, waiting);
    }

    private static List<RepositoryState> ofMembers(Collection<RepositoryState> states, Maintainers maintainers) {
        return states.stream()
                .filter(state -> maintainers.contains(state.author()))
                .toList();
    }

    private static boolean isNewer(RepositoryState state, Optional<RepositoryState> than) {
        return than.isEmpty() || state.version().isNewerThan(than.get().version());
    }

    /// Every state that may authorise a push, newest first.
    public List<RepositoryState> authorising() {
        return Stream.concat(candidates.stream(), inForce.stream()).toList();
    }

    /// The held states of maintainers, newest first.
    public List<RepositoryState> heldByMembers() {
        return ofMembers(held, maintainers);
    }

    /// The one that a refused push is compared with.
    public Optional<RepositoryState> explained() {
        return candidates.stream().findFirst().or(() -> inForce);
    }
}
