package dev.grapnel.sync.sim;

import dev.grapnel.nostr.event.EventId;
import dev.grapnel.sync.sim.Core.Moment;
import dev.grapnel.sync.world.Gate.Ruling;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// I1, and with it I3: whatever an honest relay has that is reachable and wanted, and that the node would take, is
/// here.
/// Whether it would take it is asked of a copy of the node, which has its store and its policy.
final class Convergence implements Invariant {
    private final SimWorld world;

    Convergence(SimWorld world) {
        this.world = world;
    }

    @Override
    public String name() {
        return "I1";
    }

    @Override
    public List<String> problems(Moment moment) {
        return moment == Moment.STEP
                ? List.of()
                : world.nodes().stream()
                        .filter(SimNode::isAlive)
                        .flatMap(node -> missing(node).stream())
                        .toList();
    }

    /// What a node lacks.
    List<String> missing(SimNode node) {
        var wanted = new Wanted(node);
        var held = node.heldIds();
        var expired = node.expiredIds();
        var copy = node.fork();
        try {
            var missing = new ArrayList<String>();
            world.sources(node, wanted).forEach(relay -> compare(copy, relay, wanted, held, expired, missing));
            return missing;
        } finally {
            copy.crash();
        }
    }

    private static void compare(
            SimNode copy,
            SimRelay relay,
            Wanted wanted,
            Set<EventId> held,
            Set<EventId> expired,
            List<String> missing) {
        for (var event : relay.events()) {
            if (!copy.serves(event.id()) && wanted.includes(relay.url(), event)) {
                var ruling = copy.life().sync(event, relay.url());
                boolean isTaken = ruling instanceof Ruling.Stored
                        || (ruling instanceof Ruling.Held && !held.contains(event.id()));
                boolean isMissing = isTaken && !expired.contains(event.id());
                if (isMissing) {
                    missing.add(copy + " lacks kind " + event.kind() + " " + event.id() + " of " + relay + ", would be "
                            + ruling);
                }
            }
        }
    }
}
