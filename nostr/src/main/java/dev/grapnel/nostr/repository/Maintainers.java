package dev.grapnel.nostr.repository;

import dev.grapnel.nostr.key.PublicKey;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
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
/// Members are at most 256, but each may list tens of thousands of people. So those are not gathered here: who is
/// invited, and by whom, is looked up in the members' rosters when somebody asks.
///
/// @param path whose view counts; broken if the set is empty
/// @param members the set
/// @param rosters what the members' announcements say, ascending by key
/// @param departed those listed who have announced that they left
/// @param model by which it was resolved
/// @param leftOut how many would be members but for the limit
public record Maintainers(
        LeadPath path,
        SortedSet<PublicKey> members,
        List<Roster> rosters,
        SortedSet<PublicKey> departed,
        MaintainerModel model,
        int leftOut) {
    /// Most members a set has.
    public static final int MEMBERS_MAX = 256;

    public Maintainers {
        members = Collections.unmodifiableSortedSet(new TreeSet<>(members));
        rosters = List.copyOf(rosters);
        departed = Collections.unmodifiableSortedSet(new TreeSet<>(departed));
    }

    /// Resolves the set of an owner.
    public static Maintainers of(PublicKey owner, RosterPool pool, MaintainerModel model) {
        var path = switch (model) {
            case CONFIRMED -> LeadPath.follow(owner, pool);
            case RECURSIVE -> LeadPath.ofOwner(owner, pool);
        };
        return switch (path) {
            case LeadPath.Broken broken ->
                new Maintainers(broken, new TreeSet<>(), List.of(), new TreeSet<>(), model, 0);
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

    /// Who has invited this person: the member of the lowest key that lists it. Empty for members, for those who left,
    /// and in the model that asks nobody.
    public Optional<PublicKey> findInviter(PublicKey person) {
        return model == MaintainerModel.CONFIRMED && !members.contains(person) && !departed.contains(person)
                ? findLister(person)
                : Optional.empty();
    }

    /// Everybody who is invited, each with the inviting member. As long as the members' lists: for showing, not for
    /// looking up one person.
    public SortedMap<PublicKey, PublicKey> invited() {
        var invited = new TreeMap<PublicKey, PublicKey>();
        for (var roster : rosters) {
            for (var person : roster.listed()) {
                if (!invited.containsKey(person)) {
                    findInviter(person).ifPresent(inviter -> invited.put(person, inviter));
                }
            }
        }
        return invited;
    }

    private Optional<PublicKey> findLister(PublicKey person) {
        return rosters.stream()
                .filter(roster -> roster.lists(person))
                .map(Roster::author)
                .findFirst();
    }

    /// A(O,d), if these states are the served ones: the newest that can be applied, signed by a member
    /// (service 5.3).
    public Optional<RepositoryState> findGoverning(Collection<RepositoryState> states) {
        return states.stream()
                .filter(state -> state.isSatisfiable() && contains(state.author()))
                .max(Comparator.comparing(RepositoryState::version));
    }
}
