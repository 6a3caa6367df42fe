package dev.grapnel.sync.sim;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.repository.Announcement;
import dev.grapnel.outbound.RemoteUrl;
import dev.grapnel.sync.sim.Core.Moment;
import dev.grapnel.sync.sim.RelayRecord.Purpose;
import dev.grapnel.sync.sim.Wiretap.Asked;
import dev.grapnel.sync.sim.Wiretap.Tapped;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// I16: what is asked about is served, and of what is served soon something is asked. A repository that is wanted for
/// its states only appears in no filter but that of states.
final class Levels implements Invariant, Wiretap.Listener {
    /// Window and a second, and what the work itself takes.
    private static final Duration SOON = Duration.ofSeconds(6);

    private static final String REPOSITORY = Kinds.ANNOUNCEMENT + ":";
    private static final String STATE = Kinds.STATE + ":";

    private final SimWorld world;
    private final Set<String> problems = new LinkedHashSet<>();
    private final Map<Tapped, Set<String>> streamed = new LinkedHashMap<>();
    /// By node and repository.
    private final Map<String, Set<RemoteUrl>> named = new HashMap<>();

    Levels(SimWorld world) {
        this.world = world;
        world.network().tap().listen(this);
        world.nodes().forEach(node -> node.watchServed(event -> served(node, event)));
    }

    @Override
    public String name() {
        return "I16";
    }

    @Override
    public List<String> problems(Moment moment) {
        var told = List.copyOf(problems);
        problems.clear();
        return told;
    }

    // ---- nothing too early

    @Override
    public void asked(Tapped line, Asked asked) {
        note(line, asked);
        world.findNode(line.node).filter(SimNode::isAlive).ifPresent(node -> {
            for (var filter : asked.filters) {
                for (var tag : filter.tags()) {
                    if (tag.letter() != 'd') {
                        tag.values().toList().stream()
                                .filter(value -> !isServed(node, value))
                                .forEach(value -> problems.add(line + " was asked about " + value
                                        + ", which is not served: " + asked.id.text()));
                    }
                }
            }
        });
    }

    /// Whether a value of a filter stands for something that is served, or was until a moment ago.
    private static boolean isServed(SimNode node, String value) {
        if (value.startsWith(REPOSITORY) || value.startsWith(STATE)) {
            return node.past().has(value, SOON);
        }
        return EventId.parse(value)
                .find()
                .map(id -> node.past().has(id, SOON))
                .orElseGet(() -> node.past().has(value, SOON));
    }

    // ---- nothing too late

    /// An announcement is served: relays that it names and that are connected are asked about it soon, unless a newer
    /// one names others by then.
    private void served(SimNode node, Event event) {
        if (event.kind() != Kinds.ANNOUNCEMENT) {
            return;
        }
        Announcement.parse(event).find().ifPresent(found -> {
            var reference = found.address().toString();
            named.put(node.name() + " " + reference, Set.copyOf(Meaning.relays(node, found)));
            if (!node.past().hasEver(Meaning.addressOf(event).orElseThrow())) {
                lookSoon(node, reference);
            }
        });
    }

    private void lookSoon(SimNode node, String reference) {
        Map<RemoteUrl, Long> connected = new LinkedHashMap<>();
        for (var line : world.network().tap().lines()) {
            if (line.node.equals(node.name()) && isNamed(node, reference, line.relay)) {
                connected.put(line.relay, line.opened);
            }
        }
        world.time()
                .after(
                        SOON.plusMillis(100),
                        () -> connected.forEach((relay, opened) -> {
                            if (isNamed(node, reference, relay)) {
                                look(node, relay, opened, reference);
                            }
                        }));
    }

    private boolean isNamed(SimNode node, String reference, RemoteUrl relay) {
        return named.getOrDefault(node.name() + " " + reference, Set.of()).contains(relay);
    }

    private void look(SimNode node, RemoteUrl relay, long opened, String reference) {
        var link = world.findLink(node.name(), relay);
        if (link.isEmpty()
                || !link.get().isUp()
                || link.get().isCooling()
                || link.get().isShort()
                || link.get().isWaiting()
                || !node.past().has(reference, Duration.ZERO)) {
            return;
        }
        for (var line : world.network().tap().lines()) {
            boolean isMeant = line.node.equals(node.name()) && line.relay.equals(relay) && line.opened == opened;
            if (isMeant && !streamed.getOrDefault(line, Set.of()).contains(reference)) {
                problems.add(line + " is not asked about " + reference + ", which has been served for " + SOON);
            }
        }
    }

    private void note(Tapped line, Asked asked) {
        if (asked.purpose == Purpose.LIVE) {
            asked.filters.stream()
                    .flatMap(filter -> filter.tags().stream())
                    .filter(tag -> tag.letter() == 'a')
                    .forEach(tag -> streamed.computeIfAbsent(line, _ -> new LinkedHashSet<>())
                            .addAll(tag.values().toList()));
        }
    }

    @Override
    public void gone(Tapped line) {
        streamed.remove(line);
    }
}
