package dev.grapnel.purgatory.hunt;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.purgatory.pool.Timeline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// Brings events back whose data was seen (P-613): one relay after another is asked, each once for all events that it
/// may have. Where sync follows relays it asks by its links, at their pace; else a relay is asked like any server: not
/// while it is on the naughty list, rests or pauses, and only with a
/// permit of its domain; one that has none to give is left to the next look. No state of its own.
final class Revivals {
    /// Relays that are asked because of one look.
    static final int RELAYS_MAX = 20;

    /// Events that are asked for because of one look; others come with the next.
    static final int EVENTS_MAX = 100;

    private final World world;
    private final Throttle throttle;
    private final Visits visits;
    private final Fetches fetches;
    private final Timeline time;

    Revivals(World world, Throttle throttle, Visits visits, Fetches fetches, Timeline time) {
        this.world = world;
        this.throttle = throttle;
        this.visits = visits;
        this.fetches = fetches;
        this.time = time;
    }

    /// Asks for the events of records and admits those that are found.
    ///
    /// @param records whose data was seen, those that matter most first
    /// @return the events that are back
    Set<EventId> revive(List<DormantRecord> records) {
        var revived = new HashSet<EventId>();
        int asked = 0;
        for (var entry : named(records.stream().limit(EVENTS_MAX).toList()).entrySet()) {
            var relay = entry.getKey();
            var wanted = entry.getValue().stream()
                    .filter(record -> !revived.contains(record.event()))
                    .toList();
            if (wanted.isEmpty()) {
                continue;
            }
            var linked = world.reviveByLink(relay, ids(wanted));
            linked.ifPresent(revived::addAll);
            if (linked.isPresent() || visits.isLeftAlone(relay)) {
                continue;
            }
            var lease = throttle.tryAcquire(relay.domain());
            if (lease.isPresent()) {
                ask(relay, wanted, lease.get()).stream()
                        .filter(event -> world.revive(event, relay))
                        .forEach(event -> revived.add(event.id()));
                if (++asked == RELAYS_MAX) {
                    break;
                }
            }
        }
        return revived;
    }

    /// Each relay with the records whose events it may have; first those that are the first choice of somebody.
    private Map<HuntUrl, Set<DormantRecord>> named(List<DormantRecord> records) {
        var named = new LinkedHashMap<HuntUrl, Set<DormantRecord>>();
        var choices = new LinkedHashMap<DormantRecord, List<HuntUrl>>();
        records.forEach(record -> choices.put(record, world.relays(record)));
        int most = choices.values().stream().mapToInt(List::size).max().orElse(0);
        for (int i = 0; i < most; i++) {
            int place = i;
            choices.forEach((record, relays) -> {
                if (place < relays.size()) {
                    named.computeIfAbsent(relays.get(place), _ -> new LinkedHashSet<>())
                            .add(record);
                }
            });
        }
        return named;
    }

    private static Set<EventId> ids(List<DormantRecord> wanted) {
        return wanted.stream().map(DormantRecord::event).collect(Collectors.toCollection(LinkedHashSet::new));
    }

    private List<Event> ask(HuntUrl relay, List<DormantRecord> wanted, Lease lease) {
        var identifier = wanted.getFirst().row().identifiers().getFirst();
        var ids = ids(wanted);
        var found = new ArrayList<Event>();
        var fetch = fetches.beginLook(identifier, relay, time.now(), lease);
        try {
            visits.run(fetch, permits -> world.visitRelay(relay, permits), visit -> {
                visit.find(ids).stream()
                        .filter(event -> ids.contains(event.id()))
                        .forEach(found::add);
                return new Outcome(Optional.empty(), 0, 0, Set.of(), 0, Duration.ZERO);
            });
        } finally {
            fetches.end(fetch);
        }
        return found;
    }
}
