package dev.grapnel.server.control;

import dev.grapnel.store.table.Table;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// The sorts of things purgatory keeps, as the operator names them.
public enum HeldKind {
    ANNOUNCEMENT(Table.HELD_ANNOUNCEMENTS),
    STATE(Table.HELD_STATES),
    PR(Table.HELD_PROPOSALS),
    /// A commit whose event has not come.
    PLACEHOLDER(Table.PLACEHOLDERS),
    /// What is remembered of an event that waited for too long.
    EXPIRED(Table.EXPIRED_EVENTS);

    /// Those that wait for something.
    static final List<HeldKind> WAITING = List.of(ANNOUNCEMENT, STATE, PR, PLACEHOLDER);

    private final Table table;

    HeldKind(Table table) {
        this.table = table;
    }

    Table table() {
        return table;
    }

    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    static Optional<HeldKind> find(String word) {
        return Arrays.stream(values()).filter(kind -> kind.word().equals(word)).findFirst();
    }
}
