package dev.grapnel.sync.sim;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.filter.Filter;
import dev.grapnel.sync.sim.Core.Moment;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// I10 and I14: what is kept was signed by somebody, to the last bit, no index has an id of anything else, and nothing
/// that waits is shown, neither to those who listen nor to those who compare.
final class Genuine implements Invariant {
    private final SimWorld world;
    private final Set<String> problems = new LinkedHashSet<>();

    Genuine(SimWorld world) {
        this.world = world;
        world.nodes().forEach(node -> node.watchServed(event -> shown(node, event)));
    }

    @Override
    public String name() {
        return "I10, I14";
    }

    @Override
    public List<String> problems(Moment moment) {
        if (moment == Moment.QUIET) {
            world.nodes().stream().filter(SimNode::isAlive).forEach(this::check);
        }
        var told = new ArrayList<>(problems);
        problems.clear();
        return told;
    }

    /// Everybody who listens is told of it now.
    private void shown(SimNode node, Event event) {
        if (node.holds(event.id())) {
            problems.add(node + " tells of " + event.id() + ", which waits");
        }
    }

    private void check(SimNode node) {
        node.stored().forEach(event -> expectGenuine(node, "serves", event));
        node.held().forEach(event -> expectGenuine(node, "holds", event));
        var compared = node.life().relay().shelf().items(Filter.ALL);
        var held = node.heldIds();
        for (int place = 0; place < compared.size(); place++) {
            if (held.contains(compared.id(place))) {
                problems.add(node + " shows " + compared.id(place) + ", which waits");
            }
        }
        held.stream().filter(node::serves).forEach(id -> problems.add(node + " shows " + id + ", which waits"));
        world.findCore(node.name())
                .ifPresent(core -> core.strangers(world.published())
                        .forEach(stranger -> problems.add(node + " knows " + stranger + ", which nobody signed")));
    }

    private void expectGenuine(SimNode node, String does, Event event) {
        if (!world.isGenuine(event)) {
            problems.add(node + " " + does + " " + event.id() + ", which nobody signed so");
        }
    }
}
