package dev.grapnel.purgatory.rule;

import dev.grapnel.nostr.event.EventId;
import dev.grapnel.purgatory.Arrival;
import dev.grapnel.store.StoreView;
import dev.grapnel.store.row.ExpiredEvent;
import dev.grapnel.store.row.RowKeys;
import dev.grapnel.store.table.Table;

/// Whether an event had its time here and nothing came (P-120, A18, S6, R3). A client may bring it again at
/// any time.
final class ExpiredMemory {
    private ExpiredMemory() {}

    static boolean refuses(Arrival arrival, StoreView view) {
        return arrival.isSynced() && remembers(arrival.event().id(), view);
    }

    private static boolean remembers(EventId id, StoreView view) {
        return view.count(Table.EXPIRED_EVENTS) > 0
                && view.findRow(Table.EXPIRED_EVENTS, RowKeys.event(id))
                        .map(row -> (ExpiredEvent) row)
                        .filter(row -> !row.lifted())
                        .isPresent();
    }
}
