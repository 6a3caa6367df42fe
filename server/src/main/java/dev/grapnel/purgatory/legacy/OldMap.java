package dev.grapnel.purgatory.legacy;

import java.util.Arrays;
import java.util.Optional;

/// The maps the file consists of.
enum OldMap {
    /// Keyed by owner and identifier. Files of early versions have none.
    ANNOUNCEMENTS("announcement_purgatory"),
    /// Lists, keyed by identifier.
    STATES("state_events"),
    /// Pull requests and pushes that wait for one, keyed by event.
    PROPOSALS("pr_events"),
    /// Times, keyed by event.
    EXPIRED("expired_events");

    private final String field;

    OldMap(String field) {
        this.field = field;
    }

    static Optional<OldMap> find(String field) {
        return Arrays.stream(values()).filter(map -> map.field.equals(field)).findFirst();
    }

    /// Its name in the file.
    @Override
    public String toString() {
        return field;
    }
}
