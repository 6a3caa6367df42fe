package dev.grapnel.purgatory.rule;

import dev.grapnel.nostr.event.EventId;
import dev.grapnel.purgatory.Arrival;
import dev.grapnel.purgatory.Effect;
import dev.grapnel.purgatory.Origin;
import dev.grapnel.store.StoreView;
import dev.grapnel.store.row.ExpiredEvent;
import dev.grapnel.store.row.RowKeys;
import dev.grapnel.store.table.Table;
import java.util.List;
import java.util.Optional;

/// Whether an event had its time here and nothing came (P-120, A18, S6, R3). A client may bring it again at
/// any time.
final class ExpiredMemory {
    private ExpiredMemory() {}

    static boolean refuses(Arrival arrival, StoreView view) {
        return switch (arrival.origin()) {
            case Origin.Direct _, Origin.Revived _ -> false;
            case Origin.Synced _ -> find(arrival.event().id(), view).isPresent();
        };
    }

    /// What is written down when an event comes back because its data was seen: its row refuses nothing any more
    /// and goes on counting (P-121). In the transaction that holds the event, so neither is without the other.
    static List<Effect> lifting(Arrival arrival, StoreView view) {
        return switch (arrival.origin()) {
            case Origin.Direct _, Origin.Synced _ -> List.of();
            case Origin.Revived _ ->
                find(arrival.event().id(), view).stream()
                        .<Effect>map(row -> new Effect.Put(row.revived()))
                        .toList();
        };
    }

    private static Optional<ExpiredEvent> find(EventId id, StoreView view) {
        return view.count(Table.EXPIRED_EVENTS) == 0
                ? Optional.empty()
                : view.findRow(Table.EXPIRED_EVENTS, RowKeys.event(id))
                        .map(row -> (ExpiredEvent) row)
                        .filter(row -> !row.lifted());
    }
}
