package dev.grapnel.sync.sim;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.outbound.Failure;
import dev.grapnel.sync.link.LinkPicture;
import dev.grapnel.sync.sim.RelayRecord.Limit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/// A node that mirrors the largest server seen (sync 8.1), which is its bootstrap relay and has all git data: 2,530
/// repositories of 743 owners with 2,173 names, and 6,400 roots (test 157).
final class Mirror implements AutoCloseable {
    private static final int OWNERS = 743;
    private static final int NAMES = 2_173;
    private static final int LIVE_MAX = 12;
    private static final Duration STEP = Duration.ofSeconds(5);

    /// The largest server seen.
    static final int REPOS = 2_530;

    /// Which relay it mirrors, and how long that may take.
    ///
    /// @param isRoomy whether everything can be streamed, and nothing is refused
    record Make(String name, Supplier<RelayModel> model, Duration most, boolean isRoomy) {
        static List<Make> all() {
            return List.of(
                    new Make(
                            "the existing server",
                            () -> RelayModels.existing().disclosing(),
                            Duration.ofMinutes(5),
                            true),
                    new Make("an older one", RelayModels::existingOlder, Duration.ofHours(2), false),
                    new Make("strfry", RelayModels::strfry, Duration.ofHours(1), false));
        }

        /// Mirrors all of it.
        void check(CoreFactory cores) {
            check(REPOS, cores);
        }

        void check(int repos, CoreFactory cores) {
            try (var mirror = new Mirror(model.get(), repos, cores)) {
                var time = mirror.complete(most);
                Stage.require(
                        time.isPresent(), "it is complete within " + most + ", not " + mirror.missing() + " missing");
                if (isRoomy) {
                    mirror.requireRoomy();
                } else {
                    mirror.run(Duration.ofHours(1));
                    mirror.requireOrder();
                }
            }
        }

        @Override
        public String toString() {
            return name;
        }
    }

    private final SimWorld world;
    private final SimNode node;
    private final SimRelay relay;
    private final List<Event> events = new ArrayList<>();
    private final List<Integer> givenUp = new ArrayList<>();
    private int liveMost;

    /// @param repos how many; the usual number of roots to each
    private Mirror(RelayModel model, int repos, CoreFactory cores) {
        this.world = new SimWorld(29, cores);
        this.node = world.addNode("one.example.com");
        this.relay = world.addRelay("large.example.com", model);
        var people = world.events(OWNERS);
        for (int number = 0; number < repos; number++) {
            var repo = new SimEvents.Repo(
                    number % OWNERS,
                    "repository-" + number % NAMES,
                    List.of("large.example.com", node.name()),
                    List.of());
            add(people.announce(repo));
            add(people.state(repo, repo.owner));
            int roots = 2 + (number % 32 < 17 ? 1 : 0); // 6,400 at 2,530
            for (int root = 0; root < roots; root++) {
                add(people.issue(repo));
            }
            if (number % 8 == 0) {
                world.run(Duration.ofSeconds(1));
            }
        }
        node.bootstrap(relay.url());
    }

    private void add(Event event) {
        world.push(event, "large.example.com");
        relay.put(event);
        events.add(event);
    }

    /// Runs until everything is here.
    ///
    /// @return how long it took; empty if longer
    private Optional<Duration> complete(Duration most) {
        world.start();
        for (var time = STEP; time.compareTo(most) <= 0; time = time.plus(STEP)) {
            world.run(STEP);
            look();
            if (node.storedIds().size() >= events.size()) {
                return Optional.of(time);
            }
        }
        return Optional.empty();
    }

    private void run(Duration howLong) {
        world.run(howLong);
        look();
    }

    private void look() {
        picture().ifPresent(link -> {
            liveMost = Math.max(liveMost, link.slotsLive());
            if (givenUp.isEmpty() || givenUp.getLast() != link.givenUp()) {
                givenUp.add(link.givenUp());
            }
        });
    }

    /// How the link is.
    private Optional<LinkPicture> picture() {
        return ((JoinedCore) node.core())
                .core().picture().relays().stream()
                        .filter(one -> one.url().equals(relay.url()))
                        .map(one -> one.link())
                        .findFirst();
    }

    /// Everything is streamed and nothing was refused. While it grows, plans are handed over, and filters that were
    /// added stand in groups of their own; the next connection packs them.
    private void requireRoomy() {
        for (var limit : Limit.values()) {
            Stage.require(relay.record().count(limit) == 0, "nothing was refused for " + limit);
        }
        Stage.require(liveMost <= 2 * LIVE_MAX, "a hand-over has two plans at most, not " + liveMost);
        world.network().connections(relay.url()).forEach(link -> link.cut(new Failure.Broken()));
        world.run(Duration.ofMinutes(5));
        int live = picture().map(LinkPicture::slotsLive).orElse(0);
        Stage.require(0 < live && live <= LIVE_MAX, "twelve subscriptions are enough, not " + live);
        Stage.require(givenUp.equals(List.of(0)), "everything is streamed, not " + givenUp);
    }

    /// Classes are given up one after the other (R3.24).
    private void requireOrder() {
        Stage.require(
                givenUp.equals(givenUp.stream().sorted().toList()), "classes are given up in order, not " + givenUp);
        Stage.require(givenUp.getLast() > 0, "something is given up");
    }

    private int missing() {
        return events.size() - node.storedIds().size();
    }

    @Override
    public void close() {
        world.close();
    }
}
