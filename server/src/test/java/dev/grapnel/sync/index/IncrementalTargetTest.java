package dev.grapnel.sync.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.sync.world.Mutation;
import dev.grapnel.sync.world.PurgatoryView.Waiting;
import dev.grapnel.sync.world.ScriptedArchive;
import dev.grapnel.sync.world.VirtualScheduler;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/// Whatever happens in whatever order, the index is what a naive reader would compute from all that is stored
/// and held, and whoever listens to its changes knows every difference (tests 40 and I6).
final class IncrementalTargetTest {
    private static final int HISTORIES = 60;
    private static final int BATCHES = 25;
    private static final int REPOS = 12;
    private static final int RELAYS = 6;
    private static final int ROOTS = 25;

    @Test
    void randomMutationsGiveTheTargetThatIsRecomputed() {
        for (int seed = 0; seed < HISTORIES; seed++) {
            new History(seed).run();
        }
    }

    private static final class History {
        private final int seed;
        private final Random random;
        private final ScriptedArchive archive = new ScriptedArchive(new VirtualScheduler(Instant.EPOCH));
        private final RecordedChanges changes = new RecordedChanges();
        private final WantedIndex index;
        private final Map<RepositoryAddress, Set<Integer>> stored = new TreeMap<>();
        private final Map<RepositoryAddress, Set<Integer>> held = new TreeMap<>();
        private final Map<RepositoryAddress, EventId> heldIds = new HashMap<>();
        private final Map<RepositoryAddress, Integer> misses = new TreeMap<>();
        private final Map<RepositoryAddress, Set<Integer>> registered = new TreeMap<>();
        private final Map<Long, Set<RepositoryAddress>> roots = new TreeMap<>();
        private final Map<RepositoryAddress, Set<PublicKey>> states = new TreeMap<>();
        private Map<Integer, String> before = Map.of();
        private long nextId = 1_000_000;

        History(int seed) {
            this.seed = seed;
            this.random = new Random(seed);
            this.index = new WantedIndex(IndexLimits.DEFAULTS, new HeapTables(), archive, new Random(seed));
        }

        void run() {
            for (int batch = 0; batch < BATCHES; batch++) {
                changes.forget();
                before = pairs();
                if (random.nextInt(4) == 0) {
                    comparePurgatory();
                } else {
                    applyBatch();
                }
                check(batch);
            }
        }

        private void applyBatch() {
            var window = new ArrayList<Mutation>();
            int size = 1 + random.nextInt(6);
            for (int i = 0; i < size; i++) {
                window.add(mutation());
            }
            registered.keySet().removeAll(stored.keySet());
            misses.keySet().removeAll(stored.keySet());
            // Order across repositories and events means nothing; within one the last counts, so that stays.
            index.apply(shuffledApart(window), changes);
            var loads = new HashSet<>(index.takeRootLoads(1000));
            var found = new ArrayList<Mutation>();
            roots.forEach((id, named) -> {
                if (named.stream().anyMatch(one -> loads.contains(one.toString()))) {
                    found.add(Samples.root(id, named.toArray(RepositoryAddress[]::new)));
                }
            });
            index.apply(found, changes);
        }

        private List<Mutation> shuffledApart(List<Mutation> window) {
            var apart = new LinkedHashMap<Object, List<Mutation>>();
            for (var mutation : window) {
                apart.computeIfAbsent(subject(mutation), _ -> new ArrayList<>()).add(mutation);
            }
            var groups = new ArrayList<>(apart.values());
            Collections.shuffle(groups, random);
            return groups.stream().flatMap(List::stream).toList();
        }

        private static Object subject(Mutation mutation) {
            return switch (mutation) {
                case Mutation.Announced announced -> announced.repository();
                case Mutation.Unannounced gone -> gone.repository();
                case Mutation.RootServed root -> root.id();
                case Mutation.MemberServed member -> member.id();
                case Mutation.Left left -> left.id();
                case Mutation.StatesChanged states -> states;
            };
        }

        private Mutation mutation() {
            var repository = repository();
            return switch (random.nextInt(8)) {
                case 0, 1, 2 -> announce(repository);
                case 3 -> {
                    stored.remove(repository);
                    yield new Mutation.Unannounced(repository);
                }
                case 4, 5 -> root();
                case 6 -> {
                    long id = random.nextInt(ROOTS);
                    roots.remove(id);
                    yield Samples.left(id);
                }
                default -> state(repository);
            };
        }

        private RepositoryAddress repository() {
            int number = random.nextInt(REPOS);
            return Samples.repo(number, "r" + number % 5);
        }

        private Mutation announce(RepositoryAddress repository) {
            var relays = relays();
            stored.put(repository, relays);
            return Samples.announced(
                    repository, relays.stream().mapToInt(Integer::intValue).toArray());
        }

        private Set<Integer> relays() {
            var relays = new TreeSet<Integer>();
            for (int i = random.nextInt(4); i > 0; i--) {
                relays.add(random.nextInt(RELAYS));
            }
            return relays;
        }

        private Mutation root() {
            // What an event names is part of it and never changes.
            long id = random.nextInt(ROOTS);
            var fixed = new Random(id * 31 + seed);
            var named = new TreeSet<RepositoryAddress>();
            for (int i = 1 + fixed.nextInt(3); i > 0; i--) {
                int number = fixed.nextInt(REPOS);
                named.add(Samples.repo(number, "r" + number % 5));
            }
            roots.put(id, named);
            return Samples.root(id, named.toArray(RepositoryAddress[]::new));
        }

        private Mutation state(RepositoryAddress repository) {
            var author = Samples.key(random.nextInt(3));
            var authors = states.computeIfAbsent(repository, _ -> new HashSet<>());
            boolean isServed = authors.add(author) || !authors.remove(author);
            archive.state(repository, author, isServed);
            return new Mutation.StatesChanged(author, repository.identifier().text());
        }

        private void comparePurgatory() {
            var changed = repository();
            if (held.remove(changed) == null || random.nextBoolean()) {
                held.put(changed, relays());
                heldIds.put(changed, Samples.id(nextId++));
            }
            model();
            index.register(
                    held.keySet().stream().map(one -> new Waiting(one, id(one))).toList(),
                    waiting -> Samples.urls(held.getOrDefault(waiting.repository(), Set.of()).stream()
                            .mapToInt(Integer::intValue)
                            .toArray()),
                    changes);
        }

        private EventId id(RepositoryAddress repository) {
            return heldIds.getOrDefault(repository, Samples.id(0));
        }

        private void model() {
            held.forEach((repository, relays) -> {
                if (!stored.containsKey(repository)) {
                    registered.put(repository, relays);
                    misses.remove(repository);
                }
            });
            for (var repository : List.copyOf(registered.keySet())) {
                if (!held.containsKey(repository) && misses.merge(repository, 1, Integer::sum) == 2) {
                    registered.remove(repository);
                    misses.remove(repository);
                }
            }
        }

        private Picture recomputed() {
            var items = new TreeMap<String, Set<String>>();
            registered.forEach(
                    (repository, relays) -> relays.forEach(relay -> add(items, relay, "STATE " + repository)));
            stored.forEach((repository, relays) -> relays.forEach(relay -> {
                add(items, relay, "STATE " + repository);
                add(items, relay, "TAGS " + repository);
                states.getOrDefault(repository, Set.of())
                        .forEach(author -> add(items, relay, "ADDR 30618:" + author + ":" + repository.identifier()));
                roots.forEach((id, named) -> {
                    if (named.contains(repository)) {
                        add(items, relay, "ROOT " + Samples.id(id));
                    }
                });
            }));
            return new Picture(items);
        }

        private static void add(Map<String, Set<String>> items, int relay, String item) {
            items.computeIfAbsent(Samples.url(relay).text(), _ -> new TreeSet<>())
                    .add(item);
        }

        /// What is wanted through each pair.
        private Map<Integer, String> pairs() {
            var wanted = new TreeMap<Integer, String>();
            index.forEachRelay(relay -> index.forEachPair(relay, pair -> {
                int repo = index.repo(pair);
                var text = new StringBuilder(relay + " " + repo + " " + index.level(repo));
                for (int place = 0; place < index.rootCount(repo); place++) {
                    text.append(" ").append(index.root(repo, place));
                }
                for (int place = 0; place < index.addressCount(repo); place++) {
                    text.append(" ").append(index.address(repo, place));
                }
                wanted.put(pair, text.toString());
            }));
            return wanted;
        }

        private void check(int batch) {
            var where = "seed " + seed + " batch " + batch;
            assertEquals(recomputed(), Picture.of(index), where);
            assertEquals(0, index.audit(), where);
            var after = pairs();
            var untold = new TreeSet<String>();
            after.forEach((pair, wanted) -> {
                if (!wanted.equals(before.get(pair))
                        && !changes.grown.contains(pair)
                        && !changes.shrunk.contains(pair)) {
                    untold.add(pair + ": " + before.get(pair) + " -> " + wanted);
                }
            });
            before.forEach((pair, wanted) -> {
                if (!after.containsKey(pair) && !changes.ended.contains(pair)) {
                    untold.add(pair + ": " + wanted + " ended");
                }
            });
            assertTrue(untold.isEmpty(), where + " " + untold);
            assertEquals(stored.size(), index.figures().fullRepos(), where);
            assertEquals(registered.size(), index.figures().stateOnlyRepos(), where);
            assertEquals(after.size(), index.figures().pairs(), where);
        }
    }
}
