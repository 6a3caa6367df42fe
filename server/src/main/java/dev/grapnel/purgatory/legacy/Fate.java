package dev.grapnel.purgatory.legacy;

/// What became of an entry of the file.
public enum Fate {
    /// It waits here now, or did already because an earlier import was cut off.
    RESTORED("restored"),
    /// It waits here now, though its time was over before the import: data that is here may still release it.
    OVERDUE("expired"),
    /// Remembered as expired so long ago that it need not be any more.
    FORGOTTEN("expired"),
    /// No event of its place: wrong id, signature, kind or key, or not what the existing server writes.
    INVALID("invalid"),
    /// An announcement without the repository it is about (P-711).
    WITHOUT_REPOSITORY("invalid"),
    /// A push whose objects are in no staging area.
    WITHOUT_AREA("invalid"),
    /// More than may wait here (P-140), or than one import can take.
    NO_ROOM("invalid"),
    /// Served here (7.5, step 3).
    SERVED("already_served"),
    /// The store has decided about it before: superseded, deleted, banned, expired since.
    SETTLED("already_served");

    private final String label;

    Fate(String label) {
        this.label = label;
    }

    /// The outcome it counts for in `purgatory_restore_entries`.
    public String label() {
        return label;
    }
}
