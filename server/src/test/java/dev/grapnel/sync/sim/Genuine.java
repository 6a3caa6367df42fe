package dev.grapnel.sync.sim;

import dev.grapnel.sync.sim.Core.Moment;
import java.util.ArrayList;
import java.util.List;

/// I10 and I14: what is served was signed by somebody, and nothing that waits is shown.
final class Genuine implements Invariant {
    private final SimWorld world;

    Genuine(SimWorld world) {
        this.world = world;
    }

    @Override
    public String name() {
        return "I10, I14";
    }

    @Override
    public List<String> problems(Moment moment) {
        var problems = new ArrayList<String>();
        if (moment == Moment.QUIET) {
            world.nodes().stream().filter(SimNode::isAlive).forEach(node -> check(node, problems));
        }
        return problems;
    }

    private void check(SimNode node, List<String> problems) {
        var stored = node.storedIds();
        stored.stream()
                .filter(id -> !world.isGenuine(id))
                .forEach(id -> problems.add(node + " serves " + id + ", which nobody signed"));
        node.heldIds().stream()
                .filter(stored::contains)
                .forEach(id -> problems.add(node + " shows " + id + ", which waits"));
    }
}
