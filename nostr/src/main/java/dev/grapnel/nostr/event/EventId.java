package dev.grapnel.nostr.event;

import dev.grapnel.nostr.Parsed;
import dev.grapnel.nostr.Word256;

/// An event's id: the SHA-256 of its canonical serialisation (relay 1.3).
public record EventId(long a, long b, long c, long d) implements Word256, Comparable<EventId> {
    private static final Maker<EventId> MAKER = EventId::new;

    /// Reads exactly 64 lower-case hex digits.
    public static Parsed<EventId> parse(String hex) {
        return MAKER.parse(hex);
    }

    /// From 64 digits that were checked already.
    public static EventId ofHex(byte[] ascii, int at) {
        return MAKER.ofHex(ascii, at);
    }

    /// From 32 bytes beginning at an index.
    public static EventId of(byte[] bytes, int at) {
        return MAKER.ofBytes(bytes, at);
    }

    @Override
    public int compareTo(EventId other) {
        return Word256.compare(this, other);
    }

    /// 64 lower-case hex digits.
    @Override
    public String toString() {
        return toHex();
    }
}
