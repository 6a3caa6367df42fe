package dev.grapnel.purgatory.legacy;

import dev.grapnel.store.table.Table;

/// What an entry of the file becomes here.
public enum OldStore {
    ANNOUNCEMENT("announcement", Table.HELD_ANNOUNCEMENTS),
    STATE("state", Table.HELD_STATES),
    PROPOSAL("pr", Table.HELD_PROPOSALS),
    PLACEHOLDER("placeholder", Table.PLACEHOLDERS),
    EXPIRED("expired", Table.EXPIRED_EVENTS);

    private final String label;
    private final Table table;

    OldStore(String label, Table table) {
        this.label = label;
        this.table = table;
    }

    /// Its name in `purgatory_restore_entries`.
    public String label() {
        return label;
    }

    Table table() {
        return table;
    }
}
