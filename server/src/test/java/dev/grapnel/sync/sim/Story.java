package dev.grapnel.sync.sim;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.outbound.RemoteUrl;
import dev.grapnel.sync.sim.Act.Kind;
import dev.grapnel.sync.sim.Core.Moment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/// A run of a whole world: who is there, what people do, what goes wrong, and what must be true at the end.
///
/// @param people how many
/// @param repos repositories at the beginning
/// @param posts events that are published while it runs
/// @param howLong people publish
/// @param faultEvery how much time is between two faults; zero is none
/// @param liars relays that lie, besides
/// @param rest how long nothing happens before everything must be right
record Story(
        int nodes,
        int relays,
        int people,
        int repos,
        int posts,
        Duration howLong,
        Duration faultEvery,
        int liars,
        Duration rest) {
    /// After the last fault everything is complete within one daily cycle (I1).
    static final Duration DAY = Duration.ofHours(26);

    /// Short and busy.
    static final Story SMALL = new Story(2, 4, 6, 3, 60, Duration.ofHours(4), Duration.ofMinutes(20), 1, DAY);

    /// Small enough for hundreds of worlds in a minute: everything is compared in full every five hours, and a relay is
    /// left alone for twelve at most, by a clock that may be two hours ahead.
    static final Story BRIEF =
            new Story(2, 2, 4, 2, 20, Duration.ofMinutes(75), Duration.ofMinutes(5), 1, Duration.ofHours(15));

    /// Cores whose daily cycle is over when it ends.
    CoreFactory cores() {
        return rest.compareTo(DAY) < 0 ? JoinedCore.brisk() : JoinedCore.usual();
    }

    /// Tells it; what was wrong is thrown.
    void run(long seed, CoreFactory cores) {
        run(seed, cores, RelayModels::random);
    }

    /// @param models what relays are like
    long run(long seed, CoreFactory cores, Function<RandomGenerator, RelayModel> models) {
        return run(seed, cores, models, _ -> true);
    }

    /// @param cast tells which acts are played
    long run(long seed, CoreFactory cores, Function<RandomGenerator, RelayModel> models, Predicate<Act> cast) {
        return run(seed, cores, models, cast, _ -> {});
    }

    /// @param then what follows when everything is right
    long run(
            long seed,
            CoreFactory cores,
            Function<RandomGenerator, RelayModel> models,
            Predicate<Act> cast,
            Consumer<SimWorld> then) {
        try (var world = new SimWorld(seed, cores, cast)) {
            var invariants = begin(world, models);
            var events = world.events(people);
            var random = world.random();
            for (int count = 0; count < repos; count++) {
                world.act(Kind.REPO, () -> () -> found(world, events));
                world.run(Duration.ofSeconds(1)); // a relay that sends one at a time shows one of each second
            }
            if (faultEvery.isPositive()) {
                new Faults(world, random, faultEvery, howLong).begin();
            }
            for (int count = 0; count < posts; count++) {
                world.time().after(Duration.ofNanos(random.nextLong(howLong.toNanos())), () -> post(world, events));
            }
            world.run(howLong);
            invariants.look(Moment.STEP);
            world.run(rest);
            invariants.look(Moment.QUIET);
            invariants.require();
            then.accept(world);
            return world.time().traceHash();
        }
    }

    private Invariants begin(SimWorld world, Function<RandomGenerator, RelayModel> models) {
        IntStream.range(0, nodes)
                .forEach(number -> world.act(Kind.NODE, () -> () -> world.addNode("node" + number + ".example.com")));
        IntStream.range(0, relays)
                .forEach(number -> world.act(
                        Kind.RELAY,
                        () -> () -> world.addRelay("relay" + number + ".example.com", models.apply(world.random()))));
        for (int number = 0; number < liars; number++) {
            var name = "liar" + number + ".example.com";
            world.act(Kind.LIAR, () -> () -> {
                var lies = List.of(Lies.values());
                var lie = lies.get(world.random().nextInt(lies.size()));
                world.addRelay(name, RelayModels.ofLiar(world.random())).lie(lie.make());
            });
        }
        var invariants = new Invariants(world);
        world.nodes().getFirst().bootstrap(world.relays().getFirst().url());
        invariants.watchEvery(500, Duration.ofMinutes(10));
        world.start();
        return invariants;
    }

    /// A repository that is announced and has a branch.
    private void found(SimWorld world, SimEvents events) {
        var repo = events.repository();
        publish(world, repo, events.announce(repo));
        publish(world, repo, events.state(repo, repo.owner));
    }

    private void post(SimWorld world, SimEvents events) {
        world.act(Kind.POST, () -> {
            var repo = events.repos().get(world.random().nextInt(events.repos().size()));
            var event = events.next(repo);
            return () -> publish(world, repo, event);
        });
    }

    /// To some of the places that the repository names, at least one; git data goes to one of its servers.
    private static void publish(SimWorld world, SimEvents.Repo repo, Event event) {
        List<RemoteUrl> places = new ArrayList<>(repo.relays);
        world.nodes().stream()
                .filter(node -> repo.servers.contains(node.name()))
                .forEach(node -> places.add(node.url()));
        var random = world.random();
        var chosen = new ArrayList<>(
                places.stream().filter(_ -> random.nextInt(3) > 0).toList());
        if (chosen.isEmpty()) {
            chosen.add(places.get(random.nextInt(places.size())));
        }
        if (!SimEvents.objects(event).isEmpty() && random.nextInt(10) > 0) {
            world.push(event, repo.servers.get(random.nextInt(repo.servers.size())));
        }
        world.publish(event, chosen);
    }
}
