package dev.grapnel.sync.sim;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.filter.Filter;
import dev.grapnel.nostr.negentropy.NegentropyItems;
import dev.grapnel.store.EventStore;
import dev.grapnel.store.ItemsOutcome;
import dev.grapnel.store.QueryLimits;
import dev.grapnel.store.QueryRequest;
import dev.grapnel.store.QueryStep;
import dev.grapnel.store.Viewer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// What the store of a node serves.
final class StoreShelf implements Shelf {
    private final EventStore store;

    StoreShelf(EventStore store) {
        this.store = store;
    }

    @Override
    public List<Event> find(Filter filter, int most) {
        if (most < 1) {
            return List.of();
        }
        var limited = most == Integer.MAX_VALUE
                ? filter
                : filter.toBuilder().limit(most).build();
        return read(new QueryRequest(List.of(limited), Viewer.ALL, QueryLimits.NONE));
    }

    private List<Event> read(QueryRequest request) {
        var events = new ArrayList<Event>();
        try (var query = store.query(request)) {
            while (true) {
                var step = query.next(1 << 20, Duration.ofDays(1));
                step.events().forEach(event -> events.add(event.read()));
                if (!(step instanceof QueryStep.More)) {
                    return events;
                }
            }
        }
    }

    @Override
    public NegentropyItems items(Filter filter) {
        return switch (store.items(filter, Viewer.ALL, NegentropyItems.ITEMS_MAX)) {
            case ItemsOutcome.Items(var items) -> items;
            case ItemsOutcome.TooMany _ -> throw new IllegalStateException("nobody has so many events here");
        };
    }
}
