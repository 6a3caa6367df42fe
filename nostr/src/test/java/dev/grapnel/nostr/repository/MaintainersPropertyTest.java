package dev.grapnel.nostr.repository;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.key.PublicKey;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Sets against the text of service 5.1.3, written down as it stands there.
final class MaintainersPropertyTest {
    private static final int GRAPHS = 400;
    private static final List<String> NAMES = List.of("A", "B", "C", "D", "E");

    @Test
    void confirmedSetIsThatOfTheSpecification() {
        int largest = 0;
        for (int seed = 0; seed < GRAPHS; seed++) {
            var random = new SplittableRandom(seed);
            var rosters = PeopleByNumber.random(random);
            for (int i = 0; i < 5; i++) {
                var owner = PeopleByNumber.key(random.nextInt(rosters.size() + 1));
                var set = Maintainers.of(owner, PeopleByNumber.pool(rosters), MaintainerModel.CONFIRMED);
                var message = "seed " + seed + ", owner " + owner;
                var root = naiveRoot(rosters, owner);
                assertEquals(root, set.root(), message);
                var members = root.map(found -> naiveMembers(rosters, found)).orElse(Set.of());
                assertEquals(members, set.members(), message);
                assertEquals(naiveInvited(rosters, members), set.invited(), message);
                assertEquals(root.isEmpty(), set.failure().isPresent(), message);
                largest = Math.max(largest, members.size());
            }
        }
        assertTrue(largest > 50, "the graphs should have large sets, the largest has " + largest);
    }

    @Test
    void recursiveSetIsEverybodyReached() {
        for (int seed = 0; seed < GRAPHS; seed++) {
            var random = new SplittableRandom(seed);
            var rosters = PeopleByNumber.random(random);
            var owner = PeopleByNumber.key(random.nextInt(rosters.size() + 1));
            var set = Maintainers.of(owner, PeopleByNumber.pool(rosters), MaintainerModel.RECURSIVE);
            assertEquals(naiveReached(rosters, owner), set.members(), "seed " + seed);
            assertEquals(Map.of(), set.invited(), "seed " + seed);
        }
    }

    @Test
    void orderOfArrivalDoesNotMatter() {
        for (int seed = 0; seed < 40; seed++) {
            var random = new SplittableRandom(seed);
            var arrived = Stream.generate(() -> announcement(random)).limit(14).toList();
            var shuffled = new ArrayList<>(arrived);
            Collections.shuffle(shuffled, new Random(seed));
            for (var name : NAMES) {
                for (var model : MaintainerModel.values()) {
                    assertEquals(set(name, arrived, model), set(name, shuffled, model), "seed " + seed);
                }
            }
        }
    }

    private static Maintainers set(String owner, List<Announcement> announcements, MaintainerModel model) {
        return Maintainers.of(People.keyOf(owner), AnnouncementPool.of(People.X, announcements), model);
    }

    private static Announcement announcement(RandomGenerator random) {
        var author = NAMES.get(random.nextInt(NAMES.size()));
        var one = NAMES.get(random.nextInt(NAMES.size()));
        var other = NAMES.get(random.nextInt(NAMES.size()));
        var forms = List.of("%s -> %s, %s", "%s: M %s, m %s", "%s: m %s, m %s", "%s: m %s!, m %s");
        var text = forms.get(random.nextInt(forms.size())).formatted(author, one, other);
        return People.announcement("x", random.nextInt(3), text);
    }

    private static Optional<PublicKey> naiveRoot(Map<PublicKey, Roster> p, PublicKey owner) {
        var root = owner;
        var seen = new HashSet<PublicKey>();
        while (true) {
            if (seen.contains(root) || seen.size() == 256) {
                return Optional.empty();
            }
            seen.add(root);
            var roster = p.get(root);
            if (roster == null || roster.leads().size() > 1) {
                return Optional.empty();
            }
            if (roster.leads().equals(List.of(root))) {
                return Optional.of(root);
            }
            if (roster.leads().isEmpty()) {
                return root.equals(owner) && roster.isActive() ? Optional.of(root) : Optional.empty();
            }
            root = roster.leads().getFirst();
        }
    }

    private static Set<PublicKey> naiveMembers(Map<PublicKey, Roster> p, PublicKey root) {
        var found = new TreeSet<>(Set.of(root));
        while (true) {
            var before = new TreeSet<>(found);
            for (var y : naiveListed(p, before)) {
                var roster = p.get(y);
                boolean accepts = roster != null
                        && roster.isActive()
                        && roster.listed().stream().anyMatch(before::contains);
                if (!before.contains(y) && found.size() < 256 && accepts) {
                    found.add(y);
                }
            }
            if (found.equals(before)) {
                return found;
            }
        }
    }

    private static Set<PublicKey> naiveReached(Map<PublicKey, Roster> p, PublicKey owner) {
        if (!p.containsKey(owner)) {
            return Set.of();
        }
        var found = new TreeSet<>(Set.of(owner));
        while (true) {
            var before = new TreeSet<>(found);
            for (var y : naiveListed(p, before)) {
                if (found.size() < 256) {
                    found.add(y);
                }
            }
            if (found.equals(before)) {
                return found;
            }
        }
    }

    private static Set<PublicKey> naiveListed(Map<PublicKey, Roster> p, Set<PublicKey> by) {
        var listed = new TreeSet<PublicKey>();
        by.forEach(x -> listed.addAll(find(p, x).map(Roster::listed).orElse(List.of())));
        return listed;
    }

    private static SortedMap<PublicKey, PublicKey> naiveInvited(Map<PublicKey, Roster> p, Set<PublicKey> members) {
        var invited = new TreeMap<PublicKey, PublicKey>();
        for (var y : naiveListed(p, members)) {
            boolean left = find(p, y).filter(roster -> !roster.isActive()).isPresent();
            if (!members.contains(y) && !left) {
                var lowest = members.stream()
                        .filter(x ->
                                find(p, x).filter(roster -> roster.lists(y)).isPresent())
                        .min(PublicKey::compareTo);
                invited.put(y, lowest.orElseThrow());
            }
        }
        return invited;
    }

    private static Optional<Roster> find(Map<PublicKey, Roster> p, PublicKey author) {
        return Optional.ofNullable(p.get(author));
    }
}
