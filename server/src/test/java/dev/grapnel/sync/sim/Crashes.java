package dev.grapnel.sync.sim;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.outbound.RemoteUrl;
import dev.grapnel.sync.sim.Core.Moment;
import java.time.Duration;
import java.util.List;

/// A scripted run, in which the node is killed after some message or other and started again (test 147). Whatever was
/// under way then, everything is here in the end.
final class Crashes {
    private static final Duration DOWN = Duration.ofSeconds(3);
    private static final Duration REST = Duration.ofMinutes(15);

    private final SimWorld world;
    private final SimNode node;
    private final SimRelay compared;
    private final SimRelay paged;
    private final SimEvents people;
    private final List<RemoteUrl> relays;

    private Crashes(CoreFactory cores) {
        this.world = new SimWorld(23, cores);
        this.node = world.addNode("one.example.com");
        this.compared = world.addRelay("compared.example.com", RelayModels.honest(500));
        this.paged = world.addRelay("paged.example.com", RelayModels.plain(20));
        this.people = world.events(4);
        this.relays = List.of(compared.url(), paged.url());
    }

    /// Messages of the run without a crash.
    static long messages() {
        return run(Long.MAX_VALUE, JoinedCore.usual());
    }

    /// Kills the node after so many messages; what is missing in the end is thrown.
    ///
    /// @return how many messages there were in all
    static long run(long crashAfter, CoreFactory cores) {
        var run = new Crashes(cores);
        try (run.world) {
            var invariants = new Invariants(run.world);
            run.crashAfter(crashAfter);
            run.tell();
            invariants.look(Moment.QUIET);
            invariants.require();
            run.requireAll(crashAfter);
            return run.world.network().messages();
        }
    }

    private void crashAfter(long messages) {
        world.time().afterStep(() -> {
            if (world.network().messages() >= messages && node.isAlive() && node.crashes() == 0) {
                node.crash();
                world.time().after(DOWN, node::restart);
            }
        });
    }

    /// Two repositories: one is served, the other comes from a relay and waits for its data.
    private void tell() {
        node.bootstrap(compared.url());
        world.start();
        var served = people.repository(0, List.of(node.name()), relays);
        var waiting = people.repository(1, List.of(node.name()), relays);
        var state = people.state(served, 0);
        world.push(state, node.name());
        world.publish(people.announce(served), List.of(node.url(), compared.url(), paged.url()));
        world.publish(state, List.of(node.url(), compared.url(), paged.url()));
        var issue = at(people.issue(served), compared);
        at(people.comment(served, issue, issue), paged);
        world.run(Duration.ofSeconds(20));

        at(people.announce(waiting), compared);
        var early = at(people.issue(waiting), paged);
        world.run(Duration.ofSeconds(10));
        var other = at(people.state(waiting, 1), paged);
        world.run(Duration.ofSeconds(10));
        world.push(other, node.name());
        at(people.comment(waiting, early, early), compared);
        world.run(Duration.ofSeconds(20));
        for (int count = 0; count < 5; count++) {
            var comment = at(people.comment(served, issue, issue), count % 2 == 0 ? compared : paged);
            at(people.reply(served, comment), count % 2 == 0 ? paged : compared);
            world.run(Duration.ofSeconds(7));
        }
        world.run(REST);
    }

    private Event at(Event event, SimRelay relay) {
        world.publish(event, List.of(relay.url()));
        return event;
    }

    /// All that was published is of a kind that is served.
    private void requireAll(long crashAfter) {
        long missing = world.published().stream()
                .filter(event -> !node.serves(event.id()))
                .count();
        Stage.require(
                missing == 0,
                "everything is here after a crash at message " + crashAfter + ", not " + missing + " of "
                        + world.published().size() + " missing");
    }
}
