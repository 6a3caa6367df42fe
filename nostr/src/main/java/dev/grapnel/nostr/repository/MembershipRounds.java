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
    private final SortedMap<PublicKey, Roster> rosters = new TreeMap<>();
    private final Set<PublicKey> departed = new HashSet<>();
    private int leftOut;

    /// Listed people who were looked at already. Who has announced nothing can never join a confirmed set, so such
    /// strangers, of whom there may be any number, are not kept.
    private final Set<PublicKey> seen = new HashSet<>();

    /// Listed and not left, but no member is known yet whom they list back.
    private final Map<PublicKey, Roster> waiting = new HashMap<>();

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
        return new Maintainers(
                path, new TreeSet<>(members), List.copyOf(rosters.values()), new TreeSet<>(departed), model, leftOut);
    }

    /// Who may join now; `added` are the members of the last round.
    private Collection<PublicKey> eligible(List<PublicKey> added) {
        var eligible = new TreeSet<PublicKey>();
        waiting.forEach((person, roster) -> {
            if (added.stream().anyMatch(roster::lists)) {
                eligible.add(person);
            }
        });
        for (var member : added) {
            pool.find(member).ifPresent(roster -> addListed(roster, eligible));
        }
        eligible.forEach(waiting::remove);
        return eligible;
    }

    private void addListed(Roster roster, Collection<PublicKey> eligible) {
        rosters.put(roster.author(), roster);
        for (var person : roster.listed()) {
            boolean joins = !members.contains(person)
                    && switch (model) {
                        case RECURSIVE -> seen.add(person);
                        case CONFIRMED ->
                            !seen.contains(person)
                                    && pool.find(person).filter(this::accepts).isPresent();
                    };
            if (joins) {
                eligible.add(person);
            }
        }
    }

    private boolean accepts(Roster roster) {
        seen.add(roster.author());
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
                leftOut++;
            }
        }
        return added;
    }
}
