package dev.grapnel.store.crash;

import dev.grapnel.nostr.filter.Filter;
import dev.grapnel.store.EventStore;
import dev.grapnel.store.QueryRequest;
import dev.grapnel.store.QueryStep;
import dev.grapnel.store.StoredEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Reads whole answers.
final class StoredThings {
    private static final int BLOCK = 1 << 20;

    private StoredThings() {}

    static List<StoredEvent> all(EventStore store) {
        return matching(store, Filter.ALL);
    }

    static List<StoredEvent> matching(EventStore store, Filter filter) {
        var events = new ArrayList<StoredEvent>();
        try (var query = store.query(QueryRequest.of(filter))) {
            while (true) {
                var step = query.next(BLOCK, Duration.ofDays(1));
                events.addAll(step.events());
                switch (step) {
                    case QueryStep.More _ -> {}
                    case QueryStep.Done _ -> {
                        return events;
                    }
                    case QueryStep.TookTooLong _ -> throw new IllegalStateException("given up: " + filter);
                }
            }
        }
    }
}
