package dev.grapnel.nostr.event;

/// Where an event stands in the one order used everywhere (service 1.2): greater `created_at` is newer; on a
/// tie the lower id is newer, whoever the authors are. Compares as older before newer.
public record Version(long createdAt, EventId id) implements Comparable<Version> {
    @Override
    public int compareTo(Version other) {
        int order = Long.compare(createdAt, other.createdAt);
        return order != 0 ? order : other.id.compareTo(id);
    }

    /// Whether this wins against the other.
    public boolean isNewerThan(Version other) {
        return compareTo(other) > 0;
    }
}
