package dev.grapnel.server.control;

import dev.grapnel.store.EventStore;
import dev.grapnel.store.row.ExpiredEvent;
import dev.grapnel.store.row.HeldAnnouncement;
import dev.grapnel.store.row.HeldAnnouncement.Phase;
import dev.grapnel.store.table.Table;
import dev.grapnel.store.tool.RowPages;
import java.util.EnumMap;
import java.util.concurrent.atomic.LongAdder;

/// How much waits, and how much is remembered (purgatory 10.1).
///
/// @param announcements those that have a repository
/// @param softExpired announcements whose repository was deleted
/// @param references announcements that never had one
/// @param expired ids that are remembered, those with dormant records among them
/// @param repairs repositories in the repair ledger
public record PurgatoryCounts(
        long announcements,
        long softExpired,
        long references,
        long states,
        long proposals,
        long placeholders,
        long expired,
        long dormant,
        long gates,
        long repairs,
        long trash) {
    /// Counts by looking at every announcement and every id that is remembered: at most 110,000 short rows.
    public static PurgatoryCounts of(EventStore store) {
        var phases = new EnumMap<Phase, Long>(Phase.class);
        RowPages.<RuntimeException>forEach(store, Table.HELD_ANNOUNCEMENTS, row -> {
            if (row instanceof HeldAnnouncement announcement) {
                phases.merge(announcement.phase(), 1L, Long::sum);
            }
        });
        var dormant = new LongAdder();
        RowPages.<RuntimeException>forEach(store, Table.EXPIRED_EVENTS, row -> {
            if (row instanceof ExpiredEvent expired && expired.dormant().isPresent()) {
                dormant.increment();
            }
        });
        return store.read(view -> new PurgatoryCounts(
                phases.getOrDefault(Phase.ACTIVE, 0L),
                phases.getOrDefault(Phase.SOFT_EXPIRED, 0L),
                phases.getOrDefault(Phase.REFERENCE, 0L),
                view.count(Table.HELD_STATES),
                view.count(Table.HELD_PROPOSALS),
                view.count(Table.PLACEHOLDERS),
                view.count(Table.EXPIRED_EVENTS),
                dormant.sum(),
                view.count(Table.GATES),
                view.count(Table.REPAIRS),
                view.count(Table.TRASH)));
    }
}
