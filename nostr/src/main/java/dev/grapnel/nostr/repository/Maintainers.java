package dev.grapnel.nostr.repository;

import dev.grapnel.nostr.key.PublicKey;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// M(O,d): who may sign states for a repository, already resolved (service 5.1).
///
/// A pure function of the pool: neither the order in which announcements came nor anything else plays a part,
/// so two servers with the same announcements agree. It may be empty, with a reason, and it may leave the
/// owner out.
///
/// @param path whose view counts; broken if the set is empty
/// @param members the set
/// @param listers everybody a member lists, each with the member of the lowest key that does
/// @param invited those listed who are no members and have not left, each with the same member
/// @param leftOut those who would be members but for the limit
public record Maintainers(
        LeadPath path,
        SortedSet<PublicKey> members,
        SortedMap<PublicKey, PublicKey> listers,
        SortedMap<PublicKey, PublicKey> invited,
        SortedSet<PublicKey> leftOut) {
    /// Most members a set has.
    public static final int MEMBERS_MAX = 256;

    public Maintainers {
        members = Collections.unmodifiableSortedSet(new TreeSet<>(members));
        listers = Collections.unmodifiableSortedMap(new TreeMap<>(listers));
        invited = Collections.unmodifiableSortedMap(new TreeMap<>(invited));
        leftOut = Collections.unmodifiableSortedSet(new TreeSet<>(leftOut));
    }

    /// Resolves the set of an owner.
    public static Maintainers of(PublicKey owner, RosterPool pool, MaintainerModel model) {
        var path = switch (model) {
            case CONFIRMED -> LeadPath.follow(owner, pool);
            case RECURSIVE -> LeadPath.ofOwner(owner, pool);
        };
        return switch (path) {
            case LeadPath.Broken broken ->
                new Maintainers(broken, new TreeSet<>(), new TreeMap<>(), new TreeMap<>(), new TreeSet<>());
            case LeadPath.Complete complete -> new MembershipRounds(pool, model).resolve(complete);
        };
    }

    /// Whether this person may sign states.
    public boolean contains(PublicKey person) {
        return members.contains(person);
    }

    /// Whether nobody may.
    public boolean isEmpty() {
        return members.isEmpty();
    }

    /// Whose view counts.
    public Optional<PublicKey> root() {
        return path instanceof LeadPath.Complete complete ? Optional.of(complete.root()) : Optional.empty();
    }

    /// Why the set is empty.
    public Optional<String> failure() {
        return path instanceof LeadPath.Broken(var _, var reason) ? Optional.of(reason) : Optional.empty();
    }

    /// Whether another announcement of this author could change the set. Every author whose announcement was
    /// looked for is on the path, a member, or listed by one.
    public boolean dependsOn(PublicKey author) {
        return members.contains(author)
                || listers.containsKey(author)
                || path.nodes().contains(author);
    }

    /// A(O,d), if these states are the served ones: the newest that can be applied, signed by a member
    /// (service 5.3).
    public Optional<RepositoryState> findGoverning(Collection<RepositoryState> states) {
        return states.stream()
                .filter(state -> state.isSatisfiable() && contains(state.author()))
                .max(Comparator.comparing(RepositoryState::version));
    }
}
