package dev.grapnel.nostr.repository;

import dev.grapnel.nostr.key.PublicKey;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Many people without secrets, in ascending order of keys, and rosters nobody signed.
final class PeopleByNumber {
    private PeopleByNumber() {}

    /// From 256 on the sign bit of the first word is set; the last word scatters the hashes as real keys do.
    static PublicKey key(int number) {
        return new PublicKey((long) number << 55, number % 3, 0, number * 0x9e3779b97f4a7c15L);
    }

    static RosterPool pool(Map<PublicKey, Roster> rosters) {
        return author -> Optional.ofNullable(rosters.get(author));
    }

    /// Everybody lists everybody.
    static Map<PublicKey, Roster> crowd(int people) {
        var all = IntStream.range(0, people).mapToObj(i -> key(i).toHex()).toList();
        var rosters = new HashMap<PublicKey, Roster>();
        for (int i = 0; i < people; i++) {
            rosters.put(key(i), Roster.of(key(i), List.of(), all));
        }
        return rosters;
    }

    /// Each names the next as lead, the last one itself.
    static Map<PublicKey, Roster> leadChain(int people) {
        var rosters = new HashMap<PublicKey, Roster>();
        for (int i = 0; i < people; i++) {
            var lead = record(Role.LEAD, Math.min(i + 1, people - 1), List.of());
            rosters.put(key(i), Roster.of(key(i), List.of(lead), List.of()));
        }
        return rosters;
    }

    /// Roles, fallbacks, cycles, missing leads, people who left or never announced. Some crowds are peaceful,
    /// so that sets become large.
    static Map<PublicKey, Roster> random(RandomGenerator random) {
        int people = 1 + random.nextInt(random.nextInt(4) == 0 ? 300 : 12);
        int mostListed = 1 + random.nextInt(random.nextInt(3) == 0 ? people : 4);
        int trouble = random.nextInt(3) == 0 ? 50 : 3;
        var rosters = new HashMap<PublicKey, Roster>();
        for (int i = 0; i < people; i++) {
            if (random.nextInt(3 * trouble) > 0) {
                var records =
                        random.nextInt(trouble) > 0 ? List.<RoleRecord>of() : records(random, i, people, mostListed);
                var strangers = maintainers(random, i, people, mostListed);
                var neighbours = List.of(
                        key((i + 1) % people).toHex(),
                        key((i + people - 1) % people).toHex());
                boolean peaceful = random.nextInt(trouble) > 1;
                rosters.put(key(i), Roster.of(key(i), records, peaceful ? neighbours : strangers));
            }
        }
        return rosters;
    }

    private static List<String> maintainers(RandomGenerator random, int author, int people, int most) {
        return Stream.generate(() -> key(near(random, author, people)).toHex())
                .limit(random.nextInt(most + 1))
                .toList();
    }

    private static List<RoleRecord> records(RandomGenerator random, int author, int people, int most) {
        return Stream.generate(() -> randomRecord(random, author, people))
                .limit(1L + random.nextInt(most + 1))
                .toList();
    }

    private static RoleRecord randomRecord(RandomGenerator random, int author, int people) {
        var role = random.nextInt(8) == 0 ? Role.LEAD : random.nextInt(8) == 0 ? Role.MODERATOR : Role.MAINTAINER;
        int person = random.nextInt(4) == 0 ? author : near(random, author, people);
        var boundaries = List.of(List.<String>of(), List.of("1"), List.of("1", "2"), List.of("1", "2", "3"));
        return record(role, person, boundaries.get(random.nextInt(5) == 0 ? 2 : random.nextInt(4)));
    }

    /// Neighbours list each other often, so that sets grow in many rounds.
    private static int near(RandomGenerator random, int author, int people) {
        return random.nextInt(3) == 0 ? random.nextInt(people) : Math.floorMod(author + random.nextInt(5) - 2, people);
    }

    private static RoleRecord record(Role role, int person, List<String> boundaries) {
        return new RoleRecord(role, key(person).toHex(), boundaries);
    }
}
