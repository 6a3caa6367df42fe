package dev.grapnel.nostr.repository;

import dev.grapnel.nostr.key.PublicKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/// Finds the members of one set, in rounds (service 5.1.3).
///
/// The specification looks at all members and all they list in every round. Here each round looks only at who
/// was added in the round before: they alone can list somebody new, and they alone can be whom an already
/// listed person lists back. Each pair of member and listed person is looked at once, so a ring of 256 costs
/// no more than a crowd.
final class MembershipRounds {
    private final RosterPool pool;
    private final MaintainerModel model;
    private final Set<PublicKey> members = new HashSet<>();
    private final Map<PublicKey, PublicKey> listers = new HashMap<>();
    private final Set<PublicKey> leftOut = new HashSet<>();

    /// Listed and not left, but no member is known yet whom they list back.
    private final Map<PublicKey, Roster> waiting = new HashMap<>();

    private final Set<PublicKey> departed = new HashSet<>();

    MembershipRounds(RosterPool pool, MaintainerModel model) {
        this.pool = pool;
        this.model = model;
    }

    Maintainers resolve(LeadPath.Complete path) {
        List<PublicKey> added = List.of(path.root());
        members.addAll(added);
        while (!added.isEmpty()) {
            added = admit(eligible(added));
        }
        return new Maintainers(path, new TreeSet<>(members), new TreeMap<>(listers), invited(), new TreeSet<>(leftOut));
    }

    /// Who may join now; `added` are the members of the last round.
    private Collection<PublicKey> eligible(List<PublicKey> added) {
        var eligible = new TreeSet<PublicKey>();
        waiting.forEach((person, roster) -> {
            if (added.stream().anyMatch(roster::lists)) {
                eligible.add(person);
            }
        });
        for (var person : newlyListed(added)) {
            if (isEligible(person)) {
                eligible.add(person);
            }
        }
        eligible.forEach(waiting::remove);
        return eligible;
    }

    private List<PublicKey> newlyListed(List<PublicKey> added) {
        var fresh = new ArrayList<PublicKey>();
        for (var member : added) {
            for (var person : pool.find(member).map(Roster::listed).orElse(List.of())) {
                if (!listers.containsKey(person) && !members.contains(person)) {
                    fresh.add(person);
                }
                listers.merge(person, member, MembershipRounds::lower);
            }
        }
        return fresh;
    }

    private boolean isEligible(PublicKey person) {
        return switch (model) {
            case RECURSIVE -> true;
            case CONFIRMED -> pool.find(person).filter(this::accepts).isPresent();
        };
    }

    private boolean accepts(Roster roster) {
        if (!roster.isActive()) {
            departed.add(roster.author());
            return false;
        }
        if (members.stream().anyMatch(roster::lists)) {
            return true;
        }
        waiting.put(roster.author(), roster);
        return false;
    }

    private List<PublicKey> admit(Collection<PublicKey> eligible) {
        var added = new ArrayList<PublicKey>();
        for (var person : eligible) {
            if (members.size() < Maintainers.MEMBERS_MAX) {
                members.add(person);
                added.add(person);
            } else {
                leftOut.add(person);
            }
        }
        return added;
    }

    private SortedMap<PublicKey, PublicKey> invited() {
        var invited = new TreeMap<PublicKey, PublicKey>();
        listers.forEach((person, lister) -> {
            if (isInvited(person)) {
                invited.put(person, lister);
            }
        });
        return invited;
    }

    private boolean isInvited(PublicKey person) {
        return model == MaintainerModel.CONFIRMED && !members.contains(person) && !departed.contains(person);
    }

    private static PublicKey lower(PublicKey one, PublicKey other) {
        return one.compareTo(other) <= 0 ? one : other;
    }
}
