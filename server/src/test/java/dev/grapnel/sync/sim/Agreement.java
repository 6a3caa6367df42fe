package dev.grapnel.sync.sim;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.sync.sim.Core.Moment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// I20: nodes that name each other have the same events about the repositories they share, their announcements and
/// states included.
final class Agreement implements Invariant {
    private final SimWorld world;

    Agreement(SimWorld world) {
        this.world = world;
    }

    @Override
    public String name() {
        return "I20";
    }

    @Override
    public List<String> problems(Moment moment) {
        var problems = new ArrayList<String>();
        if (moment == Moment.QUIET) {
            var nodes = world.nodes().stream().filter(SimNode::isAlive).toList();
            for (var one : nodes) {
                for (var other : nodes) {
                    if (one.name().compareTo(other.name()) < 0) {
                        compare(one, other, problems);
                    }
                }
            }
        }
        return problems;
    }

    private static void compare(SimNode one, SimNode other, List<String> problems) {
        var shared = shared(one, other);
        var unlike = unlike(one, shared);
        unlike.addAll(unlike(other, shared));
        compareCurrent(one, other, unlike, problems);
        compareCurrent(other, one, unlike, problems);
        var ones = about(one, shared, gone(other));
        var others = about(other, shared, gone(one));
        tell(one, difference(ones, others), other, problems);
        tell(other, difference(others, ones), one, problems);
    }

    private static void tell(SimNode having, Set<String> ids, SimNode lacking, List<String> problems) {
        ids.forEach(id -> problems.add(lacking + " lacks " + id + ", which " + having + " has"));
    }

    /// What waits for git data, or did in vain, and is not there. Whatever refers to nothing else belongs to nothing
    /// that the node serves, so it is refused there.
    private static Set<EventId> gone(SimNode node) {
        var gone = new TreeSet<>(node.expiredIds());
        gone.addAll(node.heldIds());
        gone.removeIf(node::serves);
        return gone;
    }

    /// What one serves under an address is not newer than what the other does, unless the other cannot serve it.
    private static void compareCurrent(SimNode having, SimNode lacking, Set<String> unlike, List<String> problems) {
        var theirs = current(lacking, unlike);
        var gone = gone(lacking);
        current(having, unlike).forEach((address, event) -> {
            var their = theirs.get(address);
            if ((their == null || their.isOlderThan(event.version())) && !gone.contains(event.id())) {
                problems.add(lacking + " lacks " + address + " " + event.id() + ", which " + having + " has");
            }
        });
    }

    /// Announcements and states by address, but those of some identifiers.
    private static Map<String, Event> current(SimNode node, Set<String> unlike) {
        Map<String, Event> current = new TreeMap<>();
        for (var event : node.stored()) {
            if (event.kind() == Kinds.ANNOUNCEMENT || event.kind() == Kinds.STATE) {
                var address = event.findAddress().orElseThrow();
                if (!unlike.contains(address.identifier())) {
                    current.put(address.toString(), event);
                }
            }
        }
        return current;
    }

    /// Identifiers of which a node has a repository that is not shared: others may have a say there.
    private static Set<String> unlike(SimNode node, Set<String> shared) {
        var others = new HashSet<String>();
        for (var event : node.stored()) {
            var address = Meaning.addressOf(event).orElse("");
            if (event.kind() == Kinds.ANNOUNCEMENT && !shared.contains(address)) {
                others.add(Meaning.identifierOf(event));
            }
        }
        return others;
    }

    private static Set<String> difference(Set<String> more, Set<String> less) {
        var rest = new TreeSet<>(more);
        rest.removeAll(less);
        return rest;
    }

    /// The coordinates that both serve, each with the other among the relays.
    private static Set<String> shared(SimNode one, SimNode other) {
        var coordinates = new TreeSet<>(announced(one, other));
        coordinates.retainAll(announced(other, one));
        return coordinates;
    }

    private static Set<String> announced(SimNode node, SimNode naming) {
        return node.stored().stream()
                .filter(event -> event.kind() == Kinds.ANNOUNCEMENT
                        && event.tags()
                                .named("relays")
                                .anyMatch(tag -> tag.values().contains("wss://" + naming.name())))
                .flatMap(event -> Meaning.addressOf(event).stream())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /// Roots of the repositories and what refers to them, directly or not.
    ///
    /// @param gone what the other node cannot have
    private static Set<String> about(SimNode node, Set<String> coordinates, Set<EventId> gone) {
        Map<String, List<Event>> referring = new HashMap<>();
        for (var event : node.stored()) {
            if (event.kind() != Kinds.ANNOUNCEMENT && event.kind() != Kinds.STATE) {
                Meaning.values(event, "a", "A", "e", "E", "q")
                        .distinct()
                        .forEach(value -> referring
                                .computeIfAbsent(value, _ -> new ArrayList<>())
                                .add(event));
            }
        }
        var found = new TreeSet<String>();
        var seen = new HashSet<String>();
        var waiting = new ArrayList<>(coordinates);
        while (!waiting.isEmpty()) {
            for (var event : referring.getOrDefault(waiting.removeLast(), List.of())) {
                boolean isElsewhere = RepositoryAddress.namedBy(event).stream()
                        .anyMatch(address -> !coordinates.contains(address.toString()));
                if (!isElsewhere
                        && !gone.contains(event.id())
                        && seen.add(event.id().toHex())) {
                    found.add("kind " + event.kind() + " " + event.id());
                    waiting.add(event.id().toHex());
                }
            }
        }
        return found;
    }
}
