package dev.grapnel.sync.sim;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.outbound.Failure;
import dev.grapnel.outbound.RemoteUrl;
import dev.grapnel.sync.sim.Act.Kind;
import dev.grapnel.sync.sim.Core.Moment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// A story whose interruptions are too short to lose anything by (I3): everything must be there hours later, long
/// before anything is compared in full once more. Events reach relays up to fourteen minutes after they were signed, at
/// each relay at another time, and some come in bursts.
final class Interruptions {
    /// Large enough for most mistakes, small enough for many of them.
    static final Story USUAL =
            new Story(1, 4, 5, 4, 70, Duration.ofMinutes(90), Duration.ofMinutes(4), 0, Duration.ofHours(3));

    private static final int HISTORY = 30;
    private static final int BURST = 12;
    private static final int LAST = 12;
    private static final Duration LATEST = Duration.ofMinutes(14);
    private static final Duration LIVE = Duration.ofMinutes(2);

    private final Story size;
    private final SimWorld world;
    private final RandomGenerator random;
    private final long end;

    private Interruptions(Story size, SimWorld world) {
        this.size = size;
        this.world = world;
        this.random = world.random();
        this.end = world.time().nanos() + size.howLong().toNanos();
    }

    /// Tells it; what was wrong is thrown.
    ///
    /// @param size how much of everything; liars are forgers
    static void run(Story size, long seed, CoreFactory cores) {
        run(size, seed, cores, _ -> true);
    }

    /// @param cast tells which acts are played
    static void run(Story size, long seed, CoreFactory cores, Predicate<Act> cast) {
        try (var world = new SimWorld(seed, cores, cast)) {
            new Interruptions(size, world).run();
        }
    }

    private void run() {
        IntStream.range(0, size.nodes())
                .forEach(number -> world.act(Kind.NODE, () -> () -> world.addNode("node" + number + ".example.com")));
        IntStream.range(0, size.relays())
                .forEach(number -> world.act(
                        Kind.RELAY,
                        () -> () -> world.addRelay("relay" + number + ".example.com", RelayModels.random(random))));
        for (int number = 0; number < size.liars(); number++) {
            var name = "liar" + number + ".example.com";
            world.act(
                    Kind.LIAR,
                    () -> () -> world.addRelay(name, RelayModels.honest(500)).lie(Lies.WRONG_SIGNATURES.make()));
        }
        var invariants = new Invariants(world);
        var events = world.events(size.people());
        world.nodes().getFirst().bootstrap(world.relays().getFirst().url());
        begin(events);
        world.start();
        planFault();
        for (int count = 0; count < size.posts(); count++) {
            world.time().after(Duration.ofNanos(random.nextLong(size.howLong().toNanos())), () -> post(events));
        }
        world.run(size.howLong());
        world.run(LATEST);
        invariants.look(Moment.STEP);
        world.run(size.rest());
        invariants.look(Moment.QUIET);
        invariants.require();
        postLive(events);
        invariants.look(Moment.QUIET);
        invariants.require();
    }

    // ---- what people do

    /// Relays have something before any node runs, some of it of one second.
    private void begin(SimEvents events) {
        for (int count = 0; count < size.repos(); count++) {
            world.act(Kind.REPO, () -> () -> {
                var repo = events.repository();
                publishAll(repo, events.announce(repo));
                publishAll(repo, events.state(repo, repo.owner));
            });
        }
        for (int count = 0; count < HISTORY; count++) {
            world.act(Kind.POST, () -> {
                var repo = one(events.repos());
                var event = events.next(repo);
                return () -> publishAll(repo, event);
            });
            world.run(random.nextBoolean() ? Duration.ofSeconds(1) : Duration.ZERO);
        }
    }

    private void publishAll(SimEvents.Repo repo, Event event) {
        push(repo, event);
        world.publish(event, repo.relays);
    }

    private void post(SimEvents events) {
        world.act(Kind.POST, () -> {
            var repo = one(events.repos());
            int count = random.nextInt(15) == 0 ? BURST : 1;
            var posts = Stream.generate(() -> events.next(repo)).limit(count).toList();
            return () -> posts.forEach(event -> publish(repo, event));
        });
    }

    /// To some of the places that the repository names, now or later.
    private void publish(SimEvents.Repo repo, Event event) {
        var places = places(repo);
        var chosen = new ArrayList<>(
                places.stream().filter(_ -> random.nextInt(3) == 0).toList());
        if (chosen.isEmpty()) {
            chosen.add(one(places));
        }
        world.time().after(later(4), () -> push(repo, event));
        chosen.forEach(place -> world.time().after(later(2), () -> world.publish(event, List.of(place))));
    }

    /// At once, but one of so many comes late.
    private Duration later(int oneOf) {
        return random.nextInt(oneOf) == 0 ? Duration.ofNanos(random.nextLong(LATEST.toNanos())) : Duration.ZERO;
    }

    private List<RemoteUrl> places(SimEvents.Repo repo) {
        List<RemoteUrl> places = new ArrayList<>(repo.relays);
        world.nodes().stream()
                .filter(node -> repo.servers.contains(node.name()))
                .forEach(node -> places.add(node.url()));
        return places;
    }

    private void push(SimEvents.Repo repo, Event event) {
        world.push(event, one(repo.servers));
    }

    /// Nothing is wrong any more: what relays get is here at once.
    private void postLive(SimEvents events) {
        for (int count = 0; count < LAST; count++) {
            world.act(Kind.POST, () -> {
                var repo = one(events.repos());
                var event = events.next(repo);
                return () -> {
                    world.nodes().forEach(node -> world.push(event, node.name()));
                    world.publish(event, places(repo));
                };
            });
            world.run(Duration.ofSeconds(20));
        }
        world.run(LIVE);
    }

    // ---- what goes wrong

    private void planFault() {
        var wait = Duration.ofNanos(
                1 + random.nextLong(2 * Math.max(1, size.faultEvery().toNanos())));
        if (size.faultEvery().isPositive() && world.time().nanos() + wait.toNanos() < end) {
            world.time().after(wait, () -> {
                world.act(Kind.FAULT, () -> this::strike);
                world.faulted();
                planFault();
            });
        }
    }

    private void during(int minutes, Runnable begin, Runnable undo) {
        begin.run();
        long most = Math.min(
                Duration.ofMinutes(minutes).toNanos(),
                Math.max(1, end - world.time().nanos()));
        world.time().after(Duration.ofNanos(random.nextLong(most)), () -> {
            undo.run();
            world.faulted();
        });
    }

    private <T> T one(List<T> all) {
        return all.get(random.nextInt(all.size()));
    }

    private void strike() {
        var relay = one(world.relays());
        var node = one(world.nodes());
        var network = world.network();
        var weather = network.weather(node.name(), relay.url());
        switch (random.nextInt(16)) {
            case 0, 1 -> network.connections(relay.url()).forEach(link -> link.cut(new Failure.Broken()));
            case 2 -> network.connections(node.name()).forEach(link -> link.cut(new Failure.Broken()));
            case 3, 4 -> during(8, () -> network.stop(relay.url()), () -> network.start(relay.url()));
            case 5 -> during(5, () -> network.beginOutage(node.name()), () -> network.endOutage(node.name()));
            case 6 -> network.connections(node.name()).forEach(SimConnection::swallow);
            case 7, 8 -> during(10, () -> weather.cut(0.1), () -> weather.cut(0));
            case 9, 10 -> relay.lag();
            case 11, 12 -> during(3, () -> fill(node, true), () -> fill(node, false));
            case 13 -> during(10, () -> weather.disorder(Duration.ofSeconds(2)), () -> weather.disorder(Duration.ZERO));
            case 14 -> during(10, () -> weather.repetition(0.1), () -> weather.repetition(0));
            default -> crash(node);
        }
    }

    private static void fill(SimNode node, boolean isFull) {
        if (node.isAlive()) {
            node.fillDisk(isFull);
        }
    }

    private void crash(SimNode node) {
        if (node.isAlive()) {
            during(5, node::crash, () -> {
                if (!node.isAlive()) {
                    node.restart();
                }
            });
        }
    }
}
