package dev.grapnel.sync.sim;

import dev.grapnel.sync.sim.Core.Moment;
import dev.grapnel.sync.sim.Core.Watched;
import java.util.ArrayList;
import java.util.List;

/// I4 to I7 and I9: what only cores can tell.
final class CoreWatch implements Invariant {
    private final SimWorld world;

    CoreWatch(SimWorld world) {
        this.world = world;
    }

    @Override
    public String name() {
        return "cores";
    }

    @Override
    public List<String> problems(Moment moment) {
        var problems = new ArrayList<String>();
        for (var node : world.nodes()) {
            if (node.isAlive()) {
                for (var invariant : Watched.values()) {
                    node.core()
                            .problems(invariant, moment)
                            .forEach(problem -> problems.add(node + " " + invariant + ": " + problem));
                }
            }
        }
        return problems;
    }
}
