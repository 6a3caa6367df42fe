package dev.grapnel.purgatory;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.MaintainerModel;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.store.SaveOutcome;
import dev.grapnel.store.StoreSamples;
import dev.grapnel.store.row.Standing;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/// One history: what people do, in the order of chance, done to the server and to the model, which must
/// agree after each step.
final class HistoryRun {
    private static final List<String> NAMES = List.of("Ann", "Bob", "Carol", "Dave", "Eve");
    private static final List<String> OIDS = List.of("1".repeat(40), "2".repeat(40), "abc123");

    private final RandomGenerator random;
    private final MaintainerModel model;
    private final Path directory;
    private final List<String> done = new ArrayList<>();
    private final List<Made> made = new ArrayList<>();

    HistoryRun(long seed, Path directory) {
        this.random = new SplittableRandom(seed);
        this.model = seed % 5 == 0 ? MaintainerModel.RECURSIVE : MaintainerModel.CONFIRMED;
        this.directory = directory;
    }

    /// What was done until now, one step in a line.
    String story() {
        return String.join("\n", done);
    }

    void run(int steps) throws IOException, InterruptedException {
        try (var world = new GraspWorld(model, directory)) {
            var naive = new NaiveGrasp(model, world.now());
            for (int step = 0; step < steps; step++) {
                step(world, naive);
                compare(world, naive);
            }
        }
    }

    private int chance(int bound) {
        return random.nextInt(bound);
    }

    private <T> T any(List<T> list) {
        return list.get(chance(list.size()));
    }

    private void step(GraspWorld world, NaiveGrasp naive) throws IOException {
        int number = chance(100);
        if (number < 30) {
            send(announcement(naive), world, naive);
        } else if (number < 48) {
            send(state(naive), world, naive);
        } else if (number < 56) {
            send(proposal(naive), world, naive);
        } else if (number < 61) {
            send(related(naive), world, naive);
        } else if (number < 71) {
            send(deletion(naive), world, naive);
        } else if (number < 72) {
            send(
                    make(chance(GraspWorld.PEOPLE), Kinds.VANISH, naive, List.of(List.of("relay", "ALL_RELAYS"))),
                    world,
                    naive);
        } else if (number < 82 && !made.isEmpty()) {
            send(any(made), world, naive);
        } else if (number < 90) {
            push(world, naive);
        } else if (number < 97) {
            pass(world, naive);
        } else {
            restart(world, naive);
        }
    }

    // ---- what people send

    private void send(Made event, GraspWorld world, NaiveGrasp naive) {
        boolean isSynced = chance(4) == 0;
        if (chance(12) == 0) {
            done.add("makes, and keeps " + event);
            return;
        }
        done.add((isSynced ? "syncs " : "sends ") + event);
        var expected = naive.submit(event, isSynced);
        done.add("  -> " + expected);
        assertEquals(expected, world.submit(event, isSynced));
    }

    private Made make(int author, int kind, NaiveGrasp naive, List<List<String>> tags) {
        var all = new ArrayList<>(tags);
        long second = naive.now() / 1000;
        if (chance(15) == 0 && kind != Kinds.VANISH) {
            all.add(List.of("expiration", Long.toString(second + chance(4000))));
        }
        long date = second - chance(3) + (chance(40) == 0 ? 2000 : 0) - (chance(20) == 0 ? 5000 : 0);
        var event = StoreSamples.event(author, kind, date, all, "");
        var result = new Made(NAMES.get(author), event, List.copyOf(all));
        made.add(result);
        return result;
    }

    private String person() {
        return StoreSamples.author(chance(GraspWorld.PEOPLE)).toHex();
    }

    private Made announcement(NaiveGrasp naive) {
        int author = chance(GraspWorld.PEOPLE);
        var key = StoreSamples.author(author).toHex();
        var identifier = any(List.of("x", "x", "y"));
        var tags = new ArrayList<List<String>>();
        tags.add(List.of("d", identifier));
        boolean isHere = chance(3) > 0;
        tags.add(
                isHere
                        ? List.of("clone", GraspWorld.cloneUrl(key, identifier))
                        : List.of("clone", "https://other.example.org/r.git"));
        tags.add(
                isHere || chance(4) == 0
                        ? List.of("relays", "wss://" + GraspWorld.DOMAIN)
                        : List.of("relays", "wss://other.example.org"));
        if (chance(60) == 0) {
            tags.add(List.of("clone", "https://third.example.org/r.git"));
        }
        switch (chance(8)) {
            case 0 -> {}
            case 1, 2 -> tags.add(List.of("maintainers", person(), person()));
            case 3, 4 -> {
                tags.add(List.of("M", key));
                tags.add(List.of("m", person()));
                tags.add(List.of("m", person()));
            }
            case 5 -> {
                tags.add(List.of("M", person()));
                tags.add(List.of("m", key));
            }
            case 6 -> {
                tags.add(List.of("m", key, "1", "2"));
                tags.add(List.of("m", person()));
            }
            default -> {
                tags.add(List.of("o", person()));
                tags.add(List.of("m", person()));
            }
        }
        return make(author, Kinds.ANNOUNCEMENT, naive, tags);
    }

    private Made state(NaiveGrasp naive) {
        var tags = new ArrayList<List<String>>();
        tags.add(List.of("d", any(GraspWorld.IDENTIFIERS)));
        int form = chance(8);
        if (form == 0) {
            tags.add(List.of("refs/tags/v1^{}", any(OIDS)));
        } else if (form == 1) {
            tags.add(List.of("refs/heads/main", "ref: refs/heads/other"));
        } else {
            tags.add(List.of("refs/heads/main", chance(20) == 0 ? "0".repeat(40) : any(OIDS)));
        }
        return make(chance(GraspWorld.PEOPLE), Kinds.STATE, naive, tags);
    }

    private String coordinate() {
        return "30617:" + person() + ":" + any(GraspWorld.IDENTIFIERS);
    }

    private Made proposal(NaiveGrasp naive) {
        var tags = new ArrayList<List<String>>();
        var requests = made.stream()
                .filter(event -> event.kind() == Kinds.PULL_REQUEST)
                .toList();
        boolean isUpdate = !requests.isEmpty() && chance(2) == 0;
        if (isUpdate) {
            tags.add(List.of("E", any(requests).id()));
        }
        for (int i = isUpdate ? chance(2) : 1 + chance(2); i > 0; i--) {
            tags.add(List.of("a", coordinate()));
        }
        if (chance(20) > 0) {
            tags.add(List.of("c", "3".repeat(40)));
        }
        return make(chance(GraspWorld.PEOPLE), isUpdate ? Kinds.PULL_REQUEST_UPDATE : Kinds.PULL_REQUEST, naive, tags);
    }

    private Made related(NaiveGrasp naive) {
        int author = chance(GraspWorld.PEOPLE);
        if (chance(4) == 0) {
            return make(author, Kinds.GRASP_LIST, naive, List.of(List.of("g", "wss://" + GraspWorld.DOMAIN)));
        }
        var tags = new ArrayList<List<String>>();
        if (made.isEmpty() || chance(2) == 0) {
            tags.add(List.of(any(List.of("a", "A", "q")), coordinate()));
        } else {
            tags.add(List.of(any(List.of("e", "E", "q")), any(made).id()));
        }
        return make(author, any(List.of(1, 1621, 1111)), naive, tags);
    }

    /// By id and by address, of one's own and of other people's events, before and after they came.
    private Made deletion(NaiveGrasp naive) {
        var tags = new ArrayList<List<String>>();
        int author = chance(GraspWorld.PEOPLE);
        if (!made.isEmpty()) {
            var target = any(made);
            if (chance(6) > 0) {
                author = NAMES.indexOf(target.label());
            }
            if (target.address().isPresent() && chance(2) == 0) {
                tags.add(List.of("a", target.address().get()));
            } else {
                tags.add(List.of("e", target.id()));
            }
        }
        return make(author, Kinds.DELETION, naive, tags);
    }

    // ---- what git brings

    private void push(GraspWorld world, NaiveGrasp naive) {
        var proposals = naive.releasable();
        if (!proposals.isEmpty() && chance(3) == 0) {
            var proposal = any(proposals);
            done.add("git data comes for " + proposal);
            naive.release(proposal);
            world.write(transaction ->
                    requireServed(transaction.release(proposal.event().id())));
            return;
        }
        for (var identifier : GraspWorld.IDENTIFIERS) {
            for (var owner : GraspWorld.people()) {
                var states = naive.pushable(owner, identifier);
                boolean isThere = naive.present().contains(owner + ":" + identifier);
                if (isThere && !states.isEmpty() && chance(2) == 0) {
                    push(owner, identifier, any(states), world, naive);
                    return;
                }
            }
        }
    }

    private void push(String owner, String identifier, Made state, GraspWorld world, NaiveGrasp naive) {
        var standing = naive.repositories.get(owner + ":" + identifier);
        if (standing != null && standing.standing() == NaivePlace.Standing.WITHDRAWN) {
            return;
        }
        var announcement = naive.held.values().stream()
                .filter(entry -> entry.phase() == NaivePlace.Phase.ACTIVE
                        && entry.made().author().equals(owner)
                        && entry.made().identifier().equals(identifier)
                        && !entry.made().isExpiredAt(naive.now() / 1000))
                .map(NaivePlace.Entry::made)
                .findFirst();
        if (announcement.isEmpty() && standing == null) {
            return;
        }
        done.add("push to " + owner.substring(0, 8) + "/" + identifier + " realises " + state);
        var older = naive.held.values().stream()
                .map(NaivePlace.Entry::made)
                .filter(other -> other.address().equals(state.address()) && state.isNewerThan(other))
                .map(other -> other.event().id())
                .toList();
        naive.push(announcement, state);
        world.write(transaction -> {
            announcement.ifPresent(event -> {
                requireServed(transaction.release(event.event().id()));
                var address = new RepositoryAddress(PublicKey.parse(owner).require(), new Identifier(identifier));
                transaction.put(Standing.hosted(address, Instant.ofEpochMilli(world.now())));
            });
            older.forEach(transaction::drop);
            return requireServed(transaction.release(state.event().id()));
        });
    }

    private static boolean requireServed(SaveOutcome outcome) {
        if (!(outcome instanceof SaveOutcome.Served)) {
            throw new AssertionError("not served: " + outcome);
        }
        return true;
    }

    // ---- time

    private void pass(GraspWorld world, NaiveGrasp naive) {
        var time = any(List.of(
                Duration.ofSeconds(1 + chance(90)),
                Duration.ofMinutes(10 + chance(40)),
                Duration.ofMinutes(31),
                Duration.ofHours(20 + chance(10)),
                Duration.ofDays(chance(3) == 0 ? 100 : 8)));
        world.advance(time);
        naive.advance(time);
        boolean isSwept = chance(4) > 0;
        done.add("time passes: " + time + (isSwept ? ", and is swept" : ""));
        if (isSwept) {
            naive.sweep();
            naive.removeOver();
            world.sweep();
            world.removeOver();
            if (time.compareTo(Duration.ofDays(1)) > 0) {
                naive.cleanUp();
                world.cleanUp();
            }
        }
    }

    private void restart(GraspWorld world, NaiveGrasp naive) throws IOException {
        if (chance(2) == 0) {
            done.add("restart");
            world.restart();
        } else {
            var address = new RepositoryAddress(
                    StoreSamples.author(chance(GraspWorld.PEOPLE)), new Identifier(any(GraspWorld.IDENTIFIERS)));
            done.add("kill, restart");
            world.crash(Optional.of(address).filter(_ -> chance(2) == 0));
        }
        naive.sweep();
        naive.cleanUp();
    }

    // ---- comparing

    private void compare(GraspWorld world, NaiveGrasp naive) throws IOException, InterruptedException {
        assertEquals("", world.problems(), "problems");
        assertEquals(naive.present(), world.onDisk(), "on disk");
        assertEquals(named(naive.visible()), named(world.visible()), "served");
        var held = new TreeMap<String, String>();
        naive.held.forEach((id, entry) -> {
            long deadline = entry.phase() == NaivePlace.Phase.REFERENCE ? Long.MAX_VALUE : entry.deadline();
            held.put(id, entry.phase() + " " + entry.source() + " until " + deadline);
        });
        assertEquals(named(held), named(world.held()), "held");
        var standings = new TreeMap<String, String>();
        naive.repositories.forEach(
                (key, repository) -> standings.put(key, repository.standing().name()));
        assertEquals(standings, world.standings(), "standings");
        assertEquals(naive.present(), world.answering(), "answering");
        assertEquals(named(naive.trashed()), named(world.trashed()), "trash");
        assertEquals(named(naive.remembered()), named(world.remembered()), "expired memory");
        assertEquals(named(naive.gated()), named(world.gated()), "gates");
    }

    private List<String> named(Iterable<String> ids) {
        var names = new ArrayList<String>();
        ids.forEach(id -> names.add(name(id)));
        return names;
    }

    private Map<String, String> named(Map<String, String> ids) {
        var names = new TreeMap<String, String>();
        ids.forEach((id, text) -> names.put(name(id), text));
        return names;
    }

    private String name(String id) {
        return made.stream()
                .filter(event -> event.event().id().equals(EventId.parse(id).require()))
                .map(event -> event.label() + "'s " + event.kind() + " " + id.substring(0, 8))
                .findFirst()
                .orElse(id);
    }
}
