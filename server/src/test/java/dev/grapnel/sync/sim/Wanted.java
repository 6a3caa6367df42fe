package dev.grapnel.sync.sim;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.repository.Announcement;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.outbound.RemoteUrl;
import dev.grapnel.store.row.HeldAnnouncement;
import dev.grapnel.store.table.Table;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// What a node wants of each relay now (R2.1), found in the plainest way: from everything it serves and holds.
final class Wanted {
    private static final int RELAYS_MAX = 20;
    private static final int DEPTH_MAX = 8;

    private final SimNode node;
    private final Map<RemoteUrl, Target> targets = new LinkedHashMap<>();
    private final List<Event> stored;

    /// What is wanted of one relay.
    private static final class Target {
        final Set<String> identifiers = new HashSet<>();
        final Set<String> coordinates = new HashSet<>();
        final Set<RepositoryAddress> full = new HashSet<>();
        final Set<String> roots = new HashSet<>();
        final Set<String> members = new HashSet<>();
        final Set<String> memberAddresses = new HashSet<>();
    }

    Wanted(SimNode node) {
        this.node = node;
        this.stored = node.stored();
        for (var event : stored) {
            if (event.kind() == Kinds.ANNOUNCEMENT) {
                Announcement.parse(event).find().ifPresent(found -> addFull(found, Meaning.relays(node, found)));
            }
        }
        held().forEach(announcement -> addHeld(announcement, Meaning.relays(node, announcement)));
        node.bootstrap().ifPresent(this::target);
        targets.values().forEach(this::addThreads);
    }

    private List<Announcement> held() {
        return node.life().store().read(view -> {
            var held = new ArrayList<Announcement>();
            view.forEachRow(
                    Table.HELD_ANNOUNCEMENTS,
                    Bytes.EMPTY,
                    row -> Announcement.parse(((HeldAnnouncement) row).event())
                            .find()
                            .ifPresent(held::add));
            return held;
        });
    }

    private Target target(RemoteUrl relay) {
        return targets.computeIfAbsent(relay, _ -> new Target());
    }

    private void addFull(Announcement announcement, List<RemoteUrl> relays) {
        var address = announcement.address();
        for (var relay : relays.stream().limit(RELAYS_MAX).toList()) {
            var target = target(relay);
            target.full.add(address);
            target.identifiers.add(address.identifier().text());
            target.coordinates.add(address.toString());
            node.life().archive().stateAuthors(address).forEach(author -> target.coordinates.add(author.address()));
        }
    }

    private void addHeld(Announcement announcement, List<RemoteUrl> relays) {
        relays.stream()
                .limit(RELAYS_MAX)
                .forEach(relay ->
                        target(relay).identifiers.add(announcement.identifier().text()));
    }

    private void addThreads(Target target) {
        var level = new TreeMap<EventId, Event>();
        for (var event : stored) {
            if (Meaning.rootOf(event).stream().anyMatch(target.full::contains)) {
                target.roots.add(event.id().toHex());
                level.put(event.id(), event);
            }
        }
        var referring = referring();
        for (int depth = 0; depth < DEPTH_MAX && !level.isEmpty(); depth++) {
            var next = new TreeMap<EventId, Event>();
            for (var parent : level.values()) {
                var names = new ArrayList<>(List.of(parent.id().toHex()));
                Meaning.addressOf(parent).ifPresent(names::add);
                for (var name : names) {
                    referring.getOrDefault(name, List.of()).forEach(event -> addMember(event, target, next));
                }
            }
            level = next;
        }
    }

    private static void addMember(Event event, Target target, Map<EventId, Event> next) {
        if (Meaning.rootOf(event).isEmpty() && target.members.add(event.id().toHex())) {
            Meaning.addressOf(event).ifPresent(target.memberAddresses::add);
            next.put(event.id(), event);
        }
    }

    private Map<String, List<Event>> referring() {
        Map<String, List<Event>> referring = new HashMap<>();
        for (var event : stored) {
            if (!Meaning.UNANSWERED.contains(event.kind())) {
                Meaning.values(event, "e", "E", "q", "a", "A")
                        .distinct()
                        .forEach(value -> referring
                                .computeIfAbsent(value, _ -> new ArrayList<>())
                                .add(event));
            }
        }
        return referring;
    }

    /// The relays of which something is wanted.
    List<RemoteUrl> relays() {
        return List.copyOf(targets.keySet());
    }

    /// The repositories of which everything is wanted of a relay.
    Set<String> full(RemoteUrl relay) {
        var full = new TreeSet<String>();
        Optional.ofNullable(targets.get(relay))
                .ifPresent(target -> target.full.forEach(address -> full.add(address.toString())));
        return full;
    }

    /// The repositories of which everything is wanted of some relay.
    Set<RepositoryAddress> repositories() {
        var all = new LinkedHashSet<RepositoryAddress>();
        targets.values().forEach(target -> all.addAll(target.full));
        return all;
    }

    /// The ids of everything served that is about a repository.
    Set<String> roots(RepositoryAddress repository) {
        var roots = new TreeSet<String>();
        stored.stream()
                .filter(event -> Meaning.rootOf(event).contains(repository))
                .forEach(event -> roots.add(event.id().toHex()));
        return roots;
    }

    /// Whether an event would be asked for at a relay.
    boolean includes(RemoteUrl relay, Event event) {
        var target = targets.get(relay);
        if (target == null) {
            return false;
        }
        return event.kind() == Kinds.ANNOUNCEMENT
                || event.kind() == Kinds.GRASP_LIST
                || (event.kind() == Kinds.STATE
                        && target.identifiers.contains(
                                event.tags().findValue("d").orElse("")))
                || Meaning.values(event, "a", "A", "q").anyMatch(target.coordinates::contains)
                || Meaning.values(event, "e", "E", "q").anyMatch(target.roots::contains)
                || Meaning.values(event, "e", "q").anyMatch(target.members::contains)
                || Meaning.values(event, "a").anyMatch(target.memberAddresses::contains);
    }
}
