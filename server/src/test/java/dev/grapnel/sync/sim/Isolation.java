package dev.grapnel.sync.sim;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.outbound.RemoteUrl;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Predicate;

/// The same world twice: once all relays are honest, once the last of them is not. What the honest ones have must be
/// here as soon in the second as in the first (I11).
final class Isolation {
    private static final int RELAYS = 3;
    private static final int ISSUES = 400;
    private static final int LATER = 20;
    private static final Duration STEP = Duration.ofMillis(50);
    private static final Duration MOST = Duration.ofMinutes(30);
    private static final Duration BETWEEN = Duration.ofHours(1);

    private Isolation() {}

    /// Tells both; what was wrong is thrown.
    ///
    /// @param cast tells which acts are played
    static void run(long seed, CoreFactory cores, Predicate<Act> cast) {
        var lies = Lies.values();
        var lie = lies[new SplittableRandom(seed).nextInt(lies.length)];
        var alone = new Trial(seed, cores, cast, Optional.empty()).run();
        var beside = new Trial(seed, cores, cast, Optional.of(lie)).run();
        for (int part = 0; part < alone.size(); part++) {
            long bearable = alone.get(part).toMillis() * 105 / 100 + STEP.toMillis();
            if (beside.get(part).toMillis() > bearable) {
                throw new AssertionError("I11: beside a relay with " + lie + " part " + part + " takes "
                        + beside.get(part).toMillis() + " ms instead of "
                        + alone.get(part).toMillis() + " (seed " + seed + ")");
            }
        }
    }

    /// One of the two.
    private static final class Trial implements AutoCloseable {
        private final SimWorld world;
        private final SimNode node;
        private final List<SimRelay> relays = new ArrayList<>();

        Trial(long seed, CoreFactory cores, Predicate<Act> cast, Optional<Lies> lie) {
            this.world = new SimWorld(seed, cores, cast);
            this.node = world.addNode("one.example.com");
            for (int number = 0; number < RELAYS; number++) {
                var model =
                        number == RELAYS - 1 ? RelayModels.ofLiar(world.random()) : RelayModels.giving(world.random());
                relays.add(world.addRelay("relay" + number + ".example.com", model));
            }
            lie.ifPresentOrElse(
                    kind -> relays.getLast().lie(kind.make()),
                    () -> world.network().stop(relays.getLast().url()));
        }

        /// How long it takes until everything of the past is here, and then what is new.
        List<Duration> run() {
            try (this) {
                world.start();
                var people = world.events(4);
                var urls = relays.stream().map(SimRelay::url).toList();
                var repo = people.repository(0, List.of(node.name()), urls);
                var past = new ArrayList<Event>();
                for (int count = 0; count < ISSUES; count++) {
                    post(people, repo, past, List.of(honest(count).url(), urls.getLast()));
                    world.run(Duration.ofSeconds(1));
                }
                var state = people.state(repo, repo.owner);
                world.push(state, node.name());
                for (var event : List.of(people.announce(repo), state)) {
                    var places = new ArrayList<>(urls);
                    places.add(node.url());
                    world.publish(event, places);
                }
                var first = timeTo(past);
                world.run(BETWEEN.minus(first)); // whatever else goes on is over in both
                var next = new ArrayList<Event>();
                for (int count = 0; count < LATER; count++) {
                    post(people, repo, next, List.of(honest(count).url()));
                }
                return List.of(first, timeTo(next));
            }
        }

        private void post(SimEvents people, SimEvents.Repo repo, List<Event> posts, List<RemoteUrl> places) {
            world.act(Act.Kind.POST, () -> {
                var issue = people.issue(repo);
                return () -> {
                    posts.add(issue);
                    world.publish(issue, places);
                };
            });
        }

        private SimRelay honest(int number) {
            return relays.get(number % (RELAYS - 1));
        }

        private Duration timeTo(List<Event> events) {
            var waited = Duration.ZERO;
            while (!events.stream().allMatch(event -> node.serves(event.id()))) {
                if (waited.compareTo(MOST) > 0) {
                    throw new AssertionError("not within " + MOST);
                }
                world.run(STEP);
                waited = waited.plus(STEP);
            }
            return waited;
        }

        @Override
        public void close() {
            world.close();
        }
    }
}
