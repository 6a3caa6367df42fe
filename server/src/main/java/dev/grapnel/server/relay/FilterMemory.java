package dev.grapnel.server.relay;

import dev.grapnel.nostr.filter.Filter;
import java.util.List;

/// About what filters take in memory while they are kept, found and matched quickly: with short values and many filters
/// that is many times the length of their text.
final class FilterMemory {
    private static final int FILTER_BYTES = 320;
    private static final int VALUE_BYTES = 64;

    private FilterMemory() {}

    /// @param messageBytes length of the message they came with
    static long of(List<Filter> filters, int messageBytes) {
        return messageBytes + (long) FILTER_BYTES * filters.size() + VALUE_BYTES * valueCount(filters);
    }

    /// Values of all conditions.
    static long valueCount(List<Filter> filters) {
        return filters.stream()
                .mapToLong(filter -> filter.ids().map(List::size).orElse(0)
                        + filter.authors().map(List::size).orElse(0)
                        + filter.kinds().map(List::size).orElse(0)
                        + filter.tags().stream()
                                .mapToLong(tag -> tag.values().size())
                                .sum())
                .sum();
    }
}
