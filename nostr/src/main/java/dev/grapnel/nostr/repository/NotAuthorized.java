package dev.grapnel.nostr.repository;

import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.nip19.Npub;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/// Why the author of a state may not sign for any repository here, for the author to read (service 4.2).
public final class NotAuthorized {
    private final PublicKey author;
    private final List<PublicKey> owners;
    private final RosterPool pool;
    private final Sets sets;

    /// The sets of the owners. There may be hundreds: questions about all of them have quicker answers than all sets.
    public interface Sets {
        /// The maintainers of one owner.
        Maintainers of(PublicKey owner);

        /// Who has invited somebody who is a member of none of them and has not left: of the first owner in whose
        /// set anybody has, the first member.
        Optional<PublicKey> findInviter(PublicKey person);

        /// Whether none has a member.
        boolean areEmpty();
    }

    private NotAuthorized(PublicKey author, List<PublicKey> owners, RosterPool pool, Sets sets) {
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
    /// @param sets of these owners over that pool
    public static Optional<String> findCause(
            PublicKey author, Collection<PublicKey> owners, RosterPool pool, Sets sets) {
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
        return sets.of(owners.getFirst()).model() == MaintainerModel.CONFIRMED;
    }

    private Optional<String> ownSetIsEmpty() {
        return ownSet().flatMap(Maintainers::failure);
    }

    private Optional<String> isInvited() {
        return sets.findInviter(author)
                .map(member -> "invited by " + new Npub(member) + ": announce this repository and list them to accept");
    }

    private Optional<String> leadDoesNotList() {
        return ownSet().filter(set -> !set.contains(author))
                .flatMap(Maintainers::root)
                .map(root -> "lead " + new Npub(root) + " does not list you");
    }

    private Optional<String> everySetIsEmpty() {
        return sets.areEmpty() ? sets.of(owners.getFirst()).failure() : Optional.empty();
    }

    private Optional<Maintainers> ownSet() {
        return owners.contains(author) ? Optional.of(sets.of(author)) : Optional.empty();
    }
}
