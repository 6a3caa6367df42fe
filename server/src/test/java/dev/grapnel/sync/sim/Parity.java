package dev.grapnel.sync.sim;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.sync.sim.Core.Moment;
import dev.grapnel.sync.sim.SimNode.Ruled;
import dev.grapnel.sync.world.Gate.Ruling;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/// I13 and I15: a node serves what a new one would that has the same git data, if the same events were submitted to it
/// directly, in this order or in any other, again and again until nothing changes.
///
/// Left out, with whatever refers to it, is what depends on time: what its author wanted deleted, for what was said of
/// it before stays and what is said later is refused; what was moved elsewhere, for only who served it before goes on;
/// what waited for git data in vain, which the new node has from the beginning; announcements whose repository was
/// deleted meanwhile, which only something new brings back (P-211); and what a clock that was wrong refused. Events
/// that are protected (relay
/// 4.8) or have a date of expiry (NIP-40) are not published here. What a
/// client was refused is not among the events: it would send them again itself (R7.17). That something is missing
/// counts if it was taken once, or if a relay has it that the node can ask.
final class Parity implements Invariant {
    private static final String IDENTIFIER = "d ";

    private final SimWorld world;
    private final Map<String, Map<EventId, Event>> arrived = new LinkedHashMap<>();
    private final Map<String, Set<EventId>> taken = new LinkedHashMap<>();

    Parity(SimWorld world) {
        this.world = world;
        for (var node : world.nodes()) {
            arrived.put(node.name(), new LinkedHashMap<>());
            taken.put(node.name(), new HashSet<>());
            node.watchRulings(this::ruled);
            node.watchServed(event -> note(node, event, true));
        }
    }

    @Override
    public String name() {
        return "I13, I15";
    }

    private void ruled(Ruled ruled) {
        var ruling = ruled.ruling();
        boolean isSaid = !(ruling instanceof Ruling.Failed) && !(ruling instanceof Ruling.Ahead);
        if (isSaid && world.isGenuine(ruled.event())) {
            note(ruled.node(), ruled.event(), ruling instanceof Ruling.Held);
        }
    }

    private void note(SimNode node, Event event, boolean isTaken) {
        of(arrived, node).putIfAbsent(event.id(), event);
        if (isTaken) {
            of(taken, node).add(event.id());
        }
    }

    private static <T> T of(Map<String, T> all, SimNode node) {
        return Objects.requireNonNull(all.get(node.name()));
    }

    @Override
    public List<String> problems(Moment moment) {
        return moment == Moment.STEP
                ? List.of()
                : world.nodes().stream()
                        .filter(SimNode::isAlive)
                        .flatMap(node -> differences(node).stream())
                        .toList();
    }

    private List<String> differences(SimNode node) {
        node.held().forEach(event -> note(node, event, true));
        var events = new ArrayList<>(of(arrived, node).values());
        var timely = timely(node, events);
        timely.addAll(unkept(node, events));
        var stored = node.storedIds();
        var direct = Experiments.directly(node.name(), world.git(), events, world);
        var problems = new ArrayList<String>();
        difference(events, stored, direct, timely)
                .forEach(event -> problems.add(node + " serves " + told(event) + ", which is refused elsewhere"));
        var due = due(node);
        difference(events, direct, stored, timely)
                .filter(event -> due.contains(event.id()))
                .forEach(event -> problems.add(node + " does not serve " + told(event) + ", which is taken elsewhere"));
        Collections.shuffle(events, new Random(world.seed()));
        var shuffled = Experiments.directly(node.name(), world.git(), events, world);
        Stream.concat(difference(events, direct, shuffled, timely), difference(events, shuffled, direct, timely))
                .forEach(event -> problems.add(node + " serves " + told(event) + " or not, as the order is"));
        return problems;
    }

    private static String told(Event event) {
        return "kind " + event.kind() + " " + event.id();
    }

    private static Stream<Event> difference(
            List<Event> events, Set<EventId> more, Set<EventId> less, Set<EventId> besides) {
        return events.stream()
                .filter(event ->
                        more.contains(event.id()) && !less.contains(event.id()) && !besides.contains(event.id()));
    }

    /// What the node had, or can have.
    private Set<EventId> due(SimNode node) {
        var due = new HashSet<>(of(taken, node));
        var wanted = new Wanted(node);
        for (var relay : world.sources(node, wanted)) {
            relay.events().stream()
                    .filter(event -> wanted.includes(relay.url(), event))
                    .forEach(event -> due.add(event.id()));
        }
        return due;
    }

    /// What depends on when it came.
    private Set<EventId> timely(SimNode node, Collection<Event> events) {
        var names = new HashSet<String>();
        node.expiredIds().forEach(id -> names.add(id.toHex()));
        world.published().stream()
                .filter(event -> event.kind() == Kinds.DELETION)
                .forEach(event -> Meaning.values(event, "e", "a").forEach(names::add));
        events.stream().filter(event -> isWithdrawal(event, node)).forEach(event -> names.add(identifier(event)));
        var released = released(node, names);
        var timely = new TreeSet<EventId>();
        for (int before = -1; before < timely.size(); ) {
            before = timely.size();
            for (var event : events) {
                if (event.kind() == Kinds.DELETION || refersTo(event).anyMatch(names::contains)) {
                    timely.add(event.id());
                    ownNames(event).forEach(names::add);
                    if (isAbout(event) && !(event.kind() == Kinds.STATE && released.contains(identifier(event)))) {
                        names.add(identifier(event));
                    }
                }
            }
        }
        return timely;
    }

    /// What belongs to repositories that were deleted before they were served.
    private static Set<EventId> unkept(SimNode node, Collection<Event> events) {
        var names = new HashSet<String>();
        node.softened().forEach(event -> ownNames(event).forEach(names::add));
        var unkept = new TreeSet<EventId>();
        for (int before = -1; before < unkept.size(); ) {
            before = unkept.size();
            for (var event : events) {
                var named = Stream.concat(ownNames(event), Meaning.values(event, "a", "A", "e", "E", "q"));
                if (named.anyMatch(names::contains)) {
                    unkept.add(event.id());
                    ownNames(event).forEach(names::add);
                }
            }
        }
        return unkept;
    }

    /// An announcement that no longer names the node: whoever served the repository goes on with it, and nobody else
    /// begins (service 4.4.5).
    private static boolean isWithdrawal(Event event, SimNode node) {
        return event.kind() == Kinds.ANNOUNCEMENT
                && event.tags().named("relays").noneMatch(tag -> tag.values().contains("wss://" + node.name()));
    }

    /// Identifiers of repositories that are served whatever becomes of their other states.
    private static Set<String> released(SimNode node, Set<String> names) {
        var released = new HashSet<String>();
        node.stored().stream()
                .filter(event -> event.kind() == Kinds.STATE && ownNames(event).noneMatch(names::contains))
                .forEach(event -> released.add(identifier(event)));
        return released;
    }

    /// Under which names others refer to it.
    private static Stream<String> ownNames(Event event) {
        return Stream.concat(Stream.of(event.id().toHex()), Meaning.addressOf(event).stream());
    }

    private static Stream<String> refersTo(Event event) {
        var others = Meaning.values(event, "a", "A", "e", "E", "q");
        return Stream.concat(
                ownNames(event), isAbout(event) ? Stream.concat(Stream.of(identifier(event)), others) : others);
    }

    /// Who may speak for a repository is a matter of all announcements with its identifier.
    private static boolean isAbout(Event event) {
        return event.kind() == Kinds.ANNOUNCEMENT || event.kind() == Kinds.STATE;
    }

    private static String identifier(Event event) {
        return IDENTIFIER + Meaning.identifierOf(event);
    }
}
