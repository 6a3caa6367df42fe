package dev.grapnel.sync.link;

/// How much may be streamed from a relay at all, by the slots it has (R3.14).
enum Extent {
    NOTHING,
    ANNOUNCEMENTS,
    EVERYTHING;

    static Extent of(Bearing bearing) {
        if (bearing.canStream()) {
            return EVERYTHING;
        }
        return bearing.liveSlots() > 0 ? ANNOUNCEMENTS : NOTHING;
    }
}
