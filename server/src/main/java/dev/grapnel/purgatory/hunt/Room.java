package dev.grapnel.purgatory.hunt;

/// What may be too full to fetch more (P-807).
public enum Room {
    /// What was fetched for the identifier before.
    AREA("area_full"),
    /// What was fetched for all of them.
    AREAS("areas_full"),
    /// The disk.
    DISK("disk_full");

    private final String label;

    Room(String label) {
        this.label = label;
    }

    /// As metrics, the log and [Answer] call it.
    String label() {
        return label;
    }
}
