package dev.grapnel.sync.sim;

import dev.grapnel.sync.sim.Core.Moment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// I2, I9 and a part of I8 as far as they are seen from outside: events are decided about soon, no more than allowed
/// wait for it, a core keeps none that it has decided about, and messages are sent slowly enough.
final class Sight implements Invariant {
    private static final Duration DECISION_MAX = Duration.ofSeconds(1);
    private static final int FRAMES_MAX = 50;

    private final SimWorld world;
    private final Set<String> problems = new LinkedHashSet<>();

    Sight(SimWorld world) {
        this.world = world;
    }

    @Override
    public String name() {
        return "I2, I9";
    }

    @Override
    public List<String> problems(Moment moment) {
        for (var node : world.nodes()) {
            if (node.isAlive()) {
                look(node);
            }
        }
        var told = new ArrayList<>(problems);
        problems.clear();
        return told;
    }

    private void look(SimNode node) {
        var port = node.life().port();
        if (port.undecidedBytesMost() > NodePort.UNDECIDED_BYTES_MAX + Hearing.MESSAGE_MAX) {
            problems.add(node + " had " + port.undecidedBytesMost() + " bytes undecided");
        }
        if (port.sentPerSecondMost() > FRAMES_MAX) {
            problems.add(node + " sent " + port.sentPerSecondMost() + " messages in a second");
        }
        if (port.decisionMost().compareTo(DECISION_MAX) > 0) {
            problems.add(node + " took " + port.decisionMost() + " to decide about an event");
        }
        world.findCore(node.name()).ifPresent(core -> {
            int most = port.undecided() + core.config().intake().hotEventsMax(); // these are judged again
            int underWay = core.core().intake().figures().underWay();
            if (underWay > most) {
                problems.add(node + " has " + underWay + " events under way, where " + most + " may be");
            }
        });
    }
}
