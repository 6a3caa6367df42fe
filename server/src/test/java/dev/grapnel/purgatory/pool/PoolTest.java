package dev.grapnel.purgatory.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.event.Version;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.MaintainerModel;
import dev.grapnel.nostr.repository.Maintainers;
import dev.grapnel.nostr.repository.Role;
import dev.grapnel.nostr.repository.RoleRecord;
import dev.grapnel.nostr.repository.Roster;
import dev.grapnel.nostr.repository.RosterPool;
import dev.grapnel.store.row.HeldAnnouncement.Phase;
import dev.grapnel.store.row.Source;
import dev.grapnel.store.row.Standing;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A pool that is changed step by step gives after each step the sets that the text of the specification
/// gives for what is announced then, and those of a pool that was just made.
///
/// `-Dgrapnel.test.jvm=-Dgrapnel.pool.seeds=2000` looks at more seeds, `-Dgrapnel.pool.first=17` begins with
/// the one a failure named.
final class PoolTest {
    private static final int SEEDS = Integer.getInteger("grapnel.pool.seeds", 60);
    private static final int FIRST = Integer.getInteger("grapnel.pool.first", 1);
    private static final int STEPS = 60;
    private static final int CROWD = 290;

    private static final Identifier X = new Identifier("x");

    /// A version of somebody's announcement.
    private record Said(List<List<String>> tags, Voice voice) {}

    /// What there is of one author, without any of the pool's machinery.
    private record Entry(
            Optional<Said> served,
            Optional<Said> held,
            Phase phase,
            Optional<Standing.Phase> standing,
            boolean isMuted) {
        static final Entry NOTHING =
                new Entry(Optional.empty(), Optional.empty(), Phase.ACTIVE, Optional.empty(), false);

        Announced announced(PublicKey author) {
            return new Announced(
                    author,
                    served.map(Said::voice),
                    held.map(said -> new HeldVoice(said.voice(), phase, Source.DIRECT, 7)),
                    standing,
                    isMuted);
        }

        /// Service 5.1.2: the newest that counts at a second.
        Optional<Said> newest(long second) {
            var heard = new ArrayList<Said>();
            served.filter(said -> said.voice().expiry() > second).ifPresent(heard::add);
            held.filter(said -> said.voice().expiry() > second).ifPresent(heard::add);
            if (isMuted) {
                heard.clear();
            }
            return heard.stream().max((a, b) -> {
                var one = a.voice().version();
                var other = b.voice().version();
                return one.createdAt() != other.createdAt()
                        ? Long.compare(one.createdAt(), other.createdAt())
                        : other.id().toHex().compareTo(one.id().toHex());
            });
        }

        /// Purgatory 0: hosted, and neither reference nor withdrawn.
        boolean isHosted(long second) {
            boolean isServed =
                    served.filter(said -> said.voice().expiry() > second).isPresent()
                            && standing.equals(Optional.of(Standing.Phase.HOSTED));
            boolean isHeld =
                    held.filter(said -> said.voice().expiry() > second).isPresent() && phase != Phase.REFERENCE;
            return !isMuted && (isServed || isHeld);
        }
    }

    @ParameterizedTest
    @EnumSource
    void poolThatIsChangedGivesTheSetsOfTheSpecification(MaintainerModel model) {
        for (int seed = FIRST; seed < FIRST + SEEDS; seed++) {
            new History(seed, model, 3 + seed % 12).run(STEPS);
        }
    }

    @ParameterizedTest
    @EnumSource
    void setsOfACrowdEndAtTheSameMembers(MaintainerModel model) {
        var history = new History(FIRST, model, CROWD);
        history.runCrowd(25);
        assertTrue(history.largest == 256, "the crowd should reach the limit, its largest set has " + history.largest);
    }

    /// One history of changes and the pool that follows it.
    private static final class History {
        private final RandomGenerator random;
        private final MaintainerModel model;
        private final List<PublicKey> people;
        private final Map<PublicKey, Entry> entries = new TreeMap<>();
        private final List<String> done = new ArrayList<>();
        private final int seed;
        private Pool pool;
        private long second = 1_000;
        private long versions;
        private int largest;

        History(int seed, MaintainerModel model, int people) {
            this.seed = seed;
            this.random = new SplittableRandom(seed);
            this.model = model;
            this.people = IntStream.range(0, people)
                    .mapToObj(number -> key((number * 7919L) % 1_000_003))
                    .toList();
            this.pool = Pool.empty(X, model);
        }

        private static PublicKey key(long number) {
            return PublicKey.parse("%016x".formatted(number) + "0".repeat(48)).require();
        }

        void run(int steps) {
            for (int step = 0; step < steps; step++) {
                change();
                var owners = people.stream().filter(_ -> random.nextInt(3) > 0).toList();
                check(owners);
            }
            check(people);
        }

        /// Everybody lists a few, most accept, so that sets run into the limit.
        void runCrowd(int steps) {
            var hub = people.getFirst();
            var crowd = people.subList(1, people.size());
            put(hub, said(hub, List.of(maintainers(crowd))), "hub");
            for (var person : crowd) {
                put(person, said(person, List.of(maintainers(List.of(hub, any(), any())))), "joins");
            }
            for (int step = 0; step < steps; step++) {
                var person = any();
                if (random.nextInt(4) == 0) {
                    change();
                } else {
                    put(person, said(person, List.of(maintainers(List.of(hub, any())))), "joins again");
                }
                checkSets(List.of(hub, person));
            }
            check(List.of(hub));
        }

        private void put(PublicKey person, Said said, String how) {
            done.add(how + " " + name(person));
            set(
                    person,
                    new Entry(
                            Optional.of(said),
                            Optional.empty(),
                            Phase.ACTIVE,
                            Optional.of(Standing.Phase.HOSTED),
                            false));
        }

        private PublicKey any() {
            return people.get(random.nextInt(people.size()));
        }

        private void set(PublicKey person, Entry entry) {
            entries.put(person, entry);
            pool = pool.with(entry.announced(person));
        }

        private void change() {
            if (random.nextInt(12) == 0) {
                second += random.nextInt(4);
                done.add("time " + second);
                return;
            }
            var person = any();
            var entry = entries.getOrDefault(person, Entry.NOTHING);
            var changed = change(person, entry);
            done.add(name(person) + " " + describe(changed));
            set(person, changed);
        }

        private Entry change(PublicKey person, Entry entry) {
            return switch (random.nextInt(10)) {
                case 0, 1, 2 ->
                    new Entry(
                            Optional.of(said(person, tags(person))),
                            entry.held(),
                            entry.phase(),
                            standing(),
                            entry.isMuted());
                case 3, 4, 5 ->
                    new Entry(
                            entry.served(),
                            Optional.of(said(person, tags(person))),
                            List.of(Phase.values()).get(random.nextInt(3)),
                            entry.standing(),
                            entry.isMuted());
                case 6 ->
                    new Entry(
                            entry.held().or(entry::served),
                            Optional.empty(),
                            entry.phase(),
                            Optional.of(Standing.Phase.HOSTED),
                            entry.isMuted());
                case 7 ->
                    random.nextBoolean()
                            ? new Entry(Optional.empty(), entry.held(), entry.phase(), standing(), entry.isMuted())
                            : new Entry(
                                    entry.served(), Optional.empty(), entry.phase(), entry.standing(), entry.isMuted());
                case 8 ->
                    random.nextInt(3) == 0
                            ? Entry.NOTHING
                            : new Entry(
                                    entry.served(),
                                    entry.held(),
                                    List.of(Phase.values()).get(random.nextInt(3)),
                                    standing(),
                                    entry.isMuted());
                default ->
                    new Entry(entry.served(), entry.held(), entry.phase(), entry.standing(), random.nextInt(4) == 0);
            };
        }

        private Optional<Standing.Phase> standing() {
            int number = random.nextInt(7);
            return number < 3
                    ? Optional.of(Standing.Phase.HOSTED)
                    : number < 6 ? Optional.of(List.of(Standing.Phase.values()).get(number - 2)) : Optional.empty();
        }

        /// Role changes: leading, listing, handing over, leaving, the old tag, nonsense.
        private List<List<String>> tags(PublicKey author) {
            var tags = new ArrayList<List<String>>();
            int form = random.nextInt(8);
            if (form < 2) {
                tags.add(maintainers(List.of(any(), any())));
            } else if (form < 4) {
                tags.add(List.of("M", author.toHex()));
                tags.add(List.of("m", any().toHex()));
                tags.add(List.of("m", any().toHex()));
            } else if (form < 5) {
                tags.add(List.of("M", any().toHex()));
                tags.add(List.of("m", author.toHex()));
            } else if (form < 6) {
                tags.add(List.of("m", author.toHex(), "1", random.nextBoolean() ? "2" : "defer"));
                tags.add(List.of("M", any().toHex()));
            } else {
                for (int i = 0; i < 4; i++) {
                    tags.add(role());
                }
            }
            return tags;
        }

        private List<String> role() {
            var letter = List.of("M", "m", "m", "m", "o").get(random.nextInt(5));
            var tag = new ArrayList<>(List.of(letter, random.nextInt(9) == 0 ? "nobody" : any().toHex()));
            var boundaries = List.of(
                    List.<String>of(),
                    List.of("100"),
                    List.of("100", "200"),
                    List.of("1", "2", "3"),
                    List.of("18446744073709551615"),
                    List.of("18446744073709551616"),
                    List.of("100", "defer"),
                    List.of(""),
                    List.of("+5"));
            tag.addAll(boundaries.get(random.nextInt(3) > 0 ? 0 : random.nextInt(boundaries.size())));
            return tag;
        }

        private static List<String> maintainers(List<PublicKey> people) {
            var tag = new ArrayList<>(List.of("maintainers"));
            people.forEach(person -> tag.add(person.toHex()));
            return tag;
        }

        private Said said(PublicKey author, List<List<String>> tags) {
            versions++;
            var id = EventId.parse("%064x".formatted(random.nextInt(1 << 30) * 1_000L + versions))
                    .require();
            long expiry = random.nextInt(6) == 0 ? second + random.nextInt(6) : Long.MAX_VALUE;
            var records = tags.stream()
                    .flatMap(tag -> List.of(Role.values()).stream()
                            .filter(role -> role.letter().equals(tag.getFirst()))
                            .map(role -> new RoleRecord(role, tag.get(1), tag.subList(2, tag.size()))))
                    .toList();
            var maintainers = tags.stream()
                    .filter(tag -> tag.getFirst().equals("maintainers"))
                    .flatMap(tag -> tag.stream().skip(1))
                    .toList();
            var version = new Version(random.nextInt(4), id);
            return new Said(tags, new Voice(version, Roster.of(author, records, maintainers), expiry));
        }

        // ---- comparing

        private void check(List<PublicKey> owners) {
            var specified = checkSets(owners);
            owners.forEach(person -> checkAuthority(person, pool.at(second), specified, message()));
        }

        private String message() {
            return "seed " + seed + ", " + model + ", " + people.size() + " people, after " + done.size() + " steps: "
                    + done.stream().skip(Math.max(0, done.size() - 40)).collect(Collectors.joining("; "));
        }

        private SpecifiedSets checkSets(List<PublicKey> owners) {
            var message = message();
            var seen = pool.at(second);
            var specified = new SpecifiedSets(model);
            var fresh = Pool.empty(X, model);
            for (var entry : entries.entrySet()) {
                var author = entry.getKey();
                entry.getValue().newest(second).ifPresent(said -> specified.put(author.toHex(), said.tags()));
                fresh = fresh.with(entry.getValue().announced(author));
            }
            assertEquals(fresh.announced(), pool.announced(), message);
            assertEquals(fresh.tally(), pool.tally(), message);
            assertEquals(!specified.isEmpty(), seen.isAnnounced(), message);
            for (var owner : owners) {
                var found = seen.maintainers(owner);
                var expected = specified.of(owner.toHex());
                assertEquals(Maintainers.of(owner, naive(), model), found, message);
                assertEquals(expected.members(), hex(found.members()), message);
                assertEquals(expected.failure(), found.failure(), message);
                assertEquals(expected.root(), found.root().map(PublicKey::toHex), message);
                assertEquals(
                        expected.invited(),
                        found.invited().entrySet().stream()
                                .collect(Collectors.toMap(
                                        entry -> entry.getKey().toHex(),
                                        entry -> entry.getValue().toHex())),
                        message);
                for (var person : model == MaintainerModel.CONFIRMED ? people : List.of(owner)) {
                    assertEquals(expected.contains(person.toHex()), seen.isMember(person, owner), message);
                }
                largest = Math.max(largest, expected.members().size());
            }
            return specified;
        }

        private RosterPool naive() {
            return person -> Optional.ofNullable(entries.get(person))
                    .flatMap(entry -> entry.newest(second))
                    .map(said -> said.voice().roster());
        }

        private void checkAuthority(PublicKey person, Pool seen, SpecifiedSets specified, String message) {
            var authorising = entries.entrySet().stream()
                    .filter(entry -> entry.getValue().isHosted(second)
                            && specified.of(entry.getKey().toHex()).contains(person.toHex()))
                    .map(entry -> entry.getKey().toHex())
                    .toList();
            assertEquals(
                    authorising,
                    seen.authorising(person).stream()
                            .map(entry -> entry.author().toHex())
                            .toList(),
                    message);
            assertEquals(!authorising.isEmpty(), seen.authorises(person), message);
        }

        private static SortedSet<String> hex(Collection<PublicKey> keys) {
            return keys.stream().map(PublicKey::toHex).collect(Collectors.toCollection(TreeSet::new));
        }

        private String name(PublicKey person) {
            return "p" + people.indexOf(person);
        }

        private String describe(Entry entry) {
            return "served " + entry.served().map(this::describe).orElse("-") + ", held "
                    + entry.held()
                            .map(said -> entry.phase() + " " + describe(said))
                            .orElse("-") + ", "
                    + entry.standing().map(Enum::name).orElse("no standing") + (entry.isMuted() ? ", muted" : "");
        }

        private String describe(Said said) {
            return said.tags().stream()
                    .map(tag -> tag.stream().map(this::describe).collect(Collectors.joining(" ")))
                    .collect(Collectors.joining(", ", "[", "]"));
        }

        private String describe(String text) {
            return PublicKey.parse(text).find().map(this::name).orElse(text);
        }
    }
}
