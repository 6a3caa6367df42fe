package dev.grapnel.sync.link;

import dev.grapnel.sync.received.Arrivals.Path;

/// Why something is fetched, in the order in which it is (R1.8, R3.14).
public enum Purpose {
    CATCHUP('c', "catchup"),
    ANNOUNCEMENTS('h', "historic"),
    REPOSITORIES('h', "historic"),
    ROOTS('h', "historic"),
    THREADS('h', "historic"),
    REFETCH('i', "refetch"),
    SWEEP('h', "sweep");

    private final char role;
    private final String label;

    Purpose(char role, String label) {
        this.role = role;
        this.label = label;
    }

    /// How ids of its subscriptions begin (R3.9).
    char role() {
        return role;
    }

    /// Whether it is about what the index wants, so that it is streamed before it is fetched.
    boolean isFromDemand() {
        return switch (this) {
            case ANNOUNCEMENTS, REPOSITORIES, ROOTS, THREADS -> true;
            case CATCHUP, REFETCH, SWEEP -> false;
        };
    }

    /// As metrics call it.
    public String label() {
        return label;
    }

    /// On which way its events come.
    ///
    /// @param isDaily whether the relay is compared in full once more
    Path path(boolean isDaily) {
        return switch (this) {
            case CATCHUP -> Path.CATCHUP;
            case ANNOUNCEMENTS, REPOSITORIES, ROOTS, THREADS -> isDaily ? Path.DAILY : Path.HISTORIC;
            case REFETCH -> Path.REFETCH;
            case SWEEP -> Path.SWEEP;
        };
    }
}
