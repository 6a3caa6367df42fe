package dev.grapnel.sync.sim;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.sync.world.VirtualScheduler;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/// What a world is compared with.
final class Experiments {
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
                events.stream().filter(event -> !node.serves(event.id())).forEach(node::submit);
            }
            return node.storedIds();
        } finally {
            node.crash();
        }
    }
}
