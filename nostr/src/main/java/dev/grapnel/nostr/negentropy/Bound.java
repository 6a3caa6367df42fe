package dev.grapnel.nostr.negentropy;

import dev.grapnel.nostr.event.EventId;

/// A point between items: a time without sign and the beginning of an id, of which `prefixBytes` are transmitted
/// and the rest are zero.
record Bound(long timestamp, EventId prefix, int prefixBytes) implements Comparable<Bound> {
    private static final EventId NO_PREFIX = new EventId(0, 0, 0, 0);

    /// Where the first range starts.
    static final Bound ORIGIN = at(0);

    /// Above every item.
    static final Bound INFINITY = at(-1);

    /// The beginning of a second.
    static Bound at(long timestamp) {
        return new Bound(timestamp, NO_PREFIX, 0);
    }

    /// The shortest bound above `below` and not above `above`, two ids of one second.
    static Bound separating(long timestamp, EventId below, EventId above) {
        int bytes = commonBytes(below, above) + 1;
        return new Bound(timestamp, firstBytes(above, bytes), bytes);
    }

    boolean isInfinity() {
        return timestamp == -1;
    }

    @Override
    public int compareTo(Bound other) {
        int order = Long.compareUnsigned(timestamp, other.timestamp);
        return order != 0 ? order : prefix.compareTo(other.prefix);
    }

    private static int commonBytes(EventId left, EventId right) {
        int bytes = commonBytes(left.a(), right.a());
        if (bytes == 8) {
            bytes += commonBytes(left.b(), right.b());
        }
        if (bytes == 16) {
            bytes += commonBytes(left.c(), right.c());
        }
        return bytes < 24 ? bytes : bytes + commonBytes(left.d(), right.d());
    }

    private static int commonBytes(long left, long right) {
        return Long.numberOfLeadingZeros(left ^ right) / 8;
    }

    private static EventId firstBytes(EventId id, int bytes) {
        return new EventId(
                firstBytes(id.a(), bytes),
                firstBytes(id.b(), bytes - 8),
                firstBytes(id.c(), bytes - 16),
                firstBytes(id.d(), bytes - 24));
    }

    private static long firstBytes(long word, int bytes) {
        if (bytes <= 0) {
            return 0;
        }
        return bytes >= 8 ? word : word & (-1L << (64 - 8 * bytes));
    }
}
