package dev.grapnel.nostr.event;

/// How events of a kind are kept (relay 4.1).
public enum KindClass {
    /// Kept until removed.
    REGULAR,
    /// Only the newest of each (kind, author).
    REPLACEABLE,
    /// Passed on, never kept.
    EPHEMERAL,
    /// Only the newest of each (kind, author, first `d` value).
    ADDRESSABLE;

    /// The class of a kind.
    public static KindClass of(int kind) {
        if (kind == 0 || kind == 3 || (kind >= 10_000 && kind < 20_000)) {
            return REPLACEABLE;
        }
        if (kind >= 20_000 && kind < 30_000) {
            return EPHEMERAL;
        }
        return kind >= 30_000 && kind < 40_000 ? ADDRESSABLE : REGULAR;
    }

    /// Whether newer versions take the place of older ones.
    public boolean hasAddress() {
        return this == REPLACEABLE || this == ADDRESSABLE;
    }
}
