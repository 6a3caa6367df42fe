package dev.grapnel.sync.received;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.outbound.RemoteUrl;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/// Whole events that were refused, for a short time (R7.15): bounded in number and bytes, and each relay's part of both
/// is a quarter, so that none can crowd out the others. The oldest goes first, of all or of the relay.
final class HotTier {
    /// What an event costs besides its JSON.
    private static final long OVERHEAD = 512;

    private static final int SHARES = 4;

    private final int eventsMax;
    private final long bytesMax;
    private final Consumer<Hot> ousted;
    private final Map<EventId, Hot> events = new LinkedHashMap<>();
    private final Map<Integer, Part> parts = new TreeMap<>();
    private final Map<EventType, Integer> counts = new EnumMap<>(EventType.class);
    private long bytes;

    /// A whole event.
    ///
    /// @param url the address of the relay it came from
    /// @param since the monotonic time of its refusal
    record Hot(Event event, int relay, RemoteUrl url, long since) {
        EventId id() {
            return event.id();
        }

        EventType type() {
            return EventType.of(event.kind());
        }

        private long bytes() {
            return event.json().length() + OVERHEAD;
        }
    }

    /// What is here of one relay.
    private static final class Part {
        private final Map<EventId, Hot> events = new LinkedHashMap<>();
        private long bytes;
    }

    /// @param ousted told of what made room, when it is gone
    HotTier(int eventsMax, long bytesMax, Consumer<Hot> ousted) {
        this.eventsMax = eventsMax;
        this.bytesMax = bytesMax;
        this.ousted = ousted;
    }

    /// Takes an event in that is not here.
    void add(Hot hot) {
        var part = parts.computeIfAbsent(hot.relay(), _ -> new Part());
        events.put(hot.id(), hot);
        part.events.put(hot.id(), hot);
        change(part, hot, 1);
        while (part.events.size() > share(eventsMax) || part.bytes > share(bytesMax)) {
            oust(part.events.values().iterator().next());
        }
        while (events.size() > eventsMax || bytes > bytesMax) {
            oust(events.values().iterator().next());
        }
    }

    private static long share(long all) {
        return Math.max(1, all / SHARES);
    }

    private void oust(Hot hot) {
        remove(hot.id());
        ousted.accept(hot);
    }

    boolean contains(EventId id) {
        return events.containsKey(id);
    }

    Optional<Hot> remove(EventId id) {
        var hot = events.remove(id);
        if (hot == null) {
            return Optional.empty();
        }
        var part = parts.get(hot.relay());
        if (part != null) {
            part.events.remove(id);
            change(part, hot, -1);
            if (part.events.isEmpty()) {
                parts.remove(hot.relay());
            }
        }
        return Optional.of(hot);
    }

    private void change(Part part, Hot hot, int step) {
        part.bytes += step * hot.bytes();
        bytes += step * hot.bytes();
        counts.merge(hot.type(), step, Integer::sum);
    }

    /// The oldest.
    Optional<Hot> findOldest() {
        return events.values().stream().findFirst();
    }

    Map<EventType, Integer> counts() {
        return new EnumMap<>(counts);
    }

    int count() {
        return events.size();
    }

    int count(int relay) {
        var part = parts.get(relay);
        return part == null ? 0 : part.events.size();
    }

    void forEach(Consumer<Hot> visitor) {
        events.values().forEach(visitor);
    }
}
