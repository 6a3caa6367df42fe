package dev.grapnel.sync.sim;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.event.Kinds;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// What a node serves, and served before, over all its lives.
final class ServedPast {
    private final SimNetwork network;
    private final Set<EventId> ever = new LinkedHashSet<>();
    private final Set<String> addresses = new TreeSet<>();
    private final Map<String, EventId> versions = new HashMap<>();
    private final Map<EventId, String> addressOf = new HashMap<>();
    private final Map<EventId, Long> leftAt = new HashMap<>();
    private final Map<String, Long> addressLeftAt = new HashMap<>();

    private long announcedAt = Long.MIN_VALUE;

    ServedPast(SimNetwork network) {
        this.network = network;
    }

    void served(Event event) {
        ever.add(event.id());
        leftAt.remove(event.id());
        Meaning.addressOf(event).ifPresent(address -> {
            if (!addresses.add(address) && event.kind() == Kinds.ANNOUNCEMENT) {
                announcedAt = network.time().nanos();
            }
            versions.put(address, event.id());
            addressOf.put(event.id(), address);
            addressLeftAt.remove(address);
        });
    }

    void removed(EventId id) {
        long now = network.time().nanos();
        leftAt.put(id, now);
        var address = addressOf.get(id);
        if (address != null && id.equals(versions.get(address))) {
            addressLeftAt.put(address, now);
            announcedAt = now;
        }
    }

    /// When an announcement last took the place of another, or went: a repository may have left relays.
    long announcedAt() {
        return announcedAt;
    }

    boolean hasEver(EventId id) {
        return ever.contains(id);
    }

    boolean hasEver(String address) {
        return addresses.contains(address);
    }

    /// Whether it is served now, or was so short a time ago.
    boolean has(EventId id, Duration within) {
        return ever.contains(id) && isLate(leftAt.get(id), within);
    }

    boolean has(String address, Duration within) {
        return addresses.contains(address) && isLate(addressLeftAt.get(address), within);
    }

    private boolean isLate(@Nullable Long left, Duration within) {
        return left == null || network.time().nanos() - left <= within.toNanos();
    }
}
