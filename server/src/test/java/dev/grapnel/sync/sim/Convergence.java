package dev.grapnel.sync.sim;

import dev.grapnel.nostr.event.Address;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.sync.sim.Core.Moment;
import dev.grapnel.sync.world.Gate.Ruling;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
        var excused = node.expiredIds();
        excused.addAll(outdated());
        var copy = node.fork();
        try {
            var missing = new ArrayList<String>();
            world.sources(node, wanted).forEach(relay -> compare(copy, relay, wanted, held, excused, missing));
            return missing;
        } finally {
            copy.crash();
        }
    }

    /// Announcements of which there are newer versions. Where the newest does not name a service, an older one is taken
    /// in, and goes as soon as the newest is met.
    private Set<EventId> outdated() {
        Map<Address, Event> newest = new HashMap<>();
        var outdated = new HashSet<EventId>();
        for (var event : world.published()) {
            if (event.kind() == Kinds.ANNOUNCEMENT) {
                var other = newest.get(event.findAddress().orElseThrow());
                boolean isNewer = other == null || event.version().isNewerThan(other.version());
                if (isNewer) {
                    newest.put(event.findAddress().orElseThrow(), event);
                }
                Optional.ofNullable(isNewer ? other : event).ifPresent(old -> outdated.add(old.id()));
            }
        }
        return outdated;
    }

    private static void compare(
            SimNode copy,
            SimRelay relay,
            Wanted wanted,
            Set<EventId> held,
            Set<EventId> excused,
            List<String> missing) {
        for (var event : relay.events()) {
            if (!copy.serves(event.id()) && wanted.includes(relay.url(), event)) {
                var ruling = copy.life().sync(event, relay.url());
                boolean isTaken = ruling instanceof Ruling.Stored
                        || (ruling instanceof Ruling.Held && !held.contains(event.id()));
                boolean isMissing = isTaken && !excused.contains(event.id());
                if (isMissing) {
                    missing.add(copy + " lacks kind " + event.kind() + " " + event.id() + " of " + relay + ", would be "
                            + ruling);
                }
            }
        }
    }
}
