package dev.grapnel.sync.health;

import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.OptionalLong;

/// What a relay was found to be able to do, each with the moment at which it is forgotten (R1.7, R4.20). Belongs to the
/// loop; outlives connections and restarts.
public final class Learned {
    /// What can be learned.
    public enum Trait {
        /// B of R3.14.
        SUBSCRIPTIONS,
        /// Bytes of open subscriptions (R3.14a).
        OPEN_BYTES,
        /// Filters of a REQ.
        FILTERS,
        /// Values of a filter (R3.6).
        WIDTH,
        /// Negentropy sessions at once; 0 is none.
        SESSIONS,
        /// Requests in a thousand seconds (R3.15).
        RATE,
        /// Bytes of a message (R3.8a).
        MESSAGE_BYTES,
        /// Refuses `limit: 0` (R3.10); any value.
        NO_LIMIT_ZERO,
        /// Negentropy is not understood (R5.10); any value.
        NO_NEGENTROPY,
        /// Negentropy names ids that do not come (R5.8); any value.
        BROKEN_NEGENTROPY,
        /// Never says EOSE (R4.17); any value.
        NO_EOSE
    }

    /// A value and its end.
    public record Entry(long value, Instant until) {}

    private final Map<Trait, Entry> entries = new EnumMap<>(Trait.class);
    private int changes;

    /// What is known now.
    public OptionalLong find(Trait trait, Instant now) {
        var entry = entries.get(trait);
        return entry != null && now.isBefore(entry.until()) ? OptionalLong.of(entry.value()) : OptionalLong.empty();
    }

    /// Whether something is known now.
    public boolean has(Trait trait, Instant now) {
        return find(trait, now).isPresent();
    }

    /// Keeps something until then.
    public void learn(Trait trait, long value, Instant until) {
        entries.put(trait, new Entry(value, until));
        changes++;
    }

    /// Forgets something.
    public void forget(Trait trait) {
        entries.remove(trait);
        changes++;
    }

    /// All of it, for writing down.
    public Map<Trait, Entry> entries() {
        return new EnumMap<>(entries);
    }

    /// What is known now, with its end.
    public Map<Trait, Entry> known(Instant now) {
        var known = entries();
        known.values().removeIf(entry -> !now.isBefore(entry.until()));
        return known;
    }

    boolean isBlank() {
        return entries.isEmpty();
    }

    /// Grows with every change.
    int changes() {
        return changes;
    }
}
