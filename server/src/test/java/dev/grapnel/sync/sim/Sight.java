package dev.grapnel.sync.sim;

import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.sync.sim.Core.Moment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// I2, I9, I16 and a part of I8 as far as they are seen from outside: events are decided about soon, no more than
/// allowed wait for it, messages are sent slowly enough, and nobody is asked about a repository before its
/// announcement is served.
final class Sight implements Invariant {
    private static final Duration DECISION_MAX = Duration.ofSeconds(1);
    private static final int FRAMES_MAX = 50;
    private static final String REPOSITORY = Kinds.ANNOUNCEMENT + ":";

    private final SimWorld world;
    private final Set<String> problems = new LinkedHashSet<>();

    Sight(SimWorld world) {
        this.world = world;
        for (var relay : world.relays()) {
            relay.record().watchRequests(request -> look(relay, request));
        }
    }

    @Override
    public String name() {
        return "I2, I9, I16";
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
    }

    private void look(SimRelay relay, RelayRecord.Request request) {
        world.nodes().stream()
                .filter(node -> node.name().equals(request.client()))
                .findFirst()
                .ifPresent(node -> request.filters().stream()
                        .flatMap(filter -> filter.tags().stream())
                        .flatMap(tag -> tag.values().toList().stream())
                        .filter(value -> value.startsWith(REPOSITORY) && !node.hasEverAnnounced(value))
                        .forEach(value -> problems.add(node + " asked " + relay + " about " + value
                                + ", whose announcement it never served")));
    }
}
