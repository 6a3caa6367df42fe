package dev.grapnel.store;

import dev.grapnel.nostr.filter.Filter;
import java.util.List;

/// What a REQ asks of the store.
///
/// @param filters alternatives, each with its own limit
/// @param viewer who asks
/// @param limits how much is answered at most
public record QueryRequest(List<Filter> filters, Viewer viewer, QueryLimits limits) {
    public QueryRequest {
        filters = List.copyOf(filters);
    }

    /// A question of the server itself, answered in full.
    public static QueryRequest of(Filter... filters) {
        return new QueryRequest(List.of(filters), Viewer.ALL, QueryLimits.NONE);
    }
}
