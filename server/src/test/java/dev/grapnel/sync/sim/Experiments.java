package dev.grapnel.sync.sim;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.sync.world.VirtualScheduler;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;

/// Invariants that compare runs or times rather than look at a moment.
final class Experiments {
    private static final Duration STEP = Duration.ofSeconds(1);

    private Experiments() {}

    /// I13 and I15: what a node serves to which the same events were submitted directly, in this order, until nothing
    /// changes any more. All git data must be at its host.
    static Set<EventId> directly(String domain, GitWorld git, List<Event> events, SimWorld world) {
        var time = new VirtualScheduler(world.time().wall());
        var chance = new SplittableRandom(1);
        var node = new SimNode(domain, new SimNetwork(time, chance), git, chance);
        node.start(CoreFactory.NONE);
        try {
            List<Set<EventId>> before = List.of();
            while (!before.equals(List.of(node.storedIds(), node.heldIds()))) {
                before = List.of(node.storedIds(), node.heldIds());
                events.forEach(node::submit);
            }
            return node.storedIds();
        } finally {
            node.crash();
        }
    }

    /// I12: how many events relays send while some time passes.
    static long deliveriesDuring(SimWorld world, Duration time) {
        long before = deliveries(world);
        world.run(time);
        return deliveries(world) - before;
    }

    private static long deliveries(SimWorld world) {
        long relays = world.relays().stream()
                .mapToLong(relay -> relay.record().deliveries())
                .sum();
        long nodes = world.nodes().stream()
                .filter(SimNode::isAlive)
                .mapToLong(node -> node.life().relay().record().deliveries())
                .sum();
        return relays + nodes;
    }

    /// I11: how long it takes until a node lacks nothing; empty if that is longer than it may.
    static Optional<Duration> timeToConverge(SimWorld world, SimNode node, Duration most) {
        var convergence = new Convergence(world);
        for (var waited = Duration.ZERO; waited.compareTo(most) <= 0; waited = waited.plus(STEP)) {
            if (convergence.missing(node).isEmpty()) {
                return Optional.of(waited);
            }
            world.run(STEP);
        }
        return Optional.empty();
    }
}
