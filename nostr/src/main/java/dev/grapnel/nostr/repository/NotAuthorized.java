package dev.grapnel.nostr.repository;

import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.nip19.Npub;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/// Why the author of a state may not sign for any repository here, for the author to read (service 4.2).
public final class NotAuthorized {
    private final PublicKey author;
    private final List<PublicKey> owners;
    private final RosterPool pool;
    private final Function<PublicKey, Maintainers> sets;

    private NotAuthorized(
            PublicKey author, List<PublicKey> owners, RosterPool pool, Function<PublicKey, Maintainers> sets) {
        this.author = author;
        this.owners = owners;
        this.pool = pool;
        this.sets = sets;
    }

    /// The cause, without parentheses; empty if none applies.
    ///
    /// @param author of the state, a member of none of the sets
    /// @param owners of the repositories that are hosted here and not withdrawn
    /// @param pool of the identifier
    /// @param sets the maintainers of each owner over that pool
    public static Optional<String> findCause(
            PublicKey author, Collection<PublicKey> owners, RosterPool pool, Function<PublicKey, Maintainers> sets) {
        var sorted = owners.stream().sorted().distinct().toList();
        return sorted.isEmpty() ? Optional.empty() : new NotAuthorized(author, sorted, pool, sets).findCause();
    }

    private Optional<String> findCause() {
        return hasLeft()
                .or(this::ownSetIsEmpty)
                .or(this::isInvited)
                .or(this::leadDoesNotList)
                .or(this::everySetIsEmpty);
    }

    private Optional<String> hasLeft() {
        return pool.find(author)
                .filter(roster -> !roster.isActive() && asksForRoles())
                .map(_ -> "you have ended your own role");
    }

    /// The recursive model knows no roles of one's own.
    private boolean asksForRoles() {
        return sets.apply(owners.getFirst()).model() == MaintainerModel.CONFIRMED;
    }

    private Optional<String> ownSetIsEmpty() {
        return ownSet().flatMap(Maintainers::failure);
    }

    private Optional<String> isInvited() {
        if (!pool.mayList(author)) {
            return Optional.empty();
        }
        return setsOfAll()
                .flatMap(set -> set.findInviter(author).stream())
                .findFirst()
                .map(member -> "invited by " + new Npub(member) + ": announce this repository and list them to accept");
    }

    private Optional<String> leadDoesNotList() {
        return ownSet().filter(set -> !set.contains(author))
                .flatMap(Maintainers::root)
                .map(root -> "lead " + new Npub(root) + " does not list you");
    }

    private Optional<String> everySetIsEmpty() {
        return setsOfAll().allMatch(Maintainers::isEmpty)
                ? sets.apply(owners.getFirst()).failure()
                : Optional.empty();
    }

    private Optional<Maintainers> ownSet() {
        return owners.contains(author) ? Optional.of(sets.apply(author)) : Optional.empty();
    }

    private Stream<Maintainers> setsOfAll() {
        return owners.stream().map(sets);
    }
}
