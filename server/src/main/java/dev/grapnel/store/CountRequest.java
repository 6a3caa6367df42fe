package dev.grapnel.store;

import dev.grapnel.nostr.filter.Filter;
import java.util.List;

/// What a COUNT asks of the store.
///
/// @param filters alternatives; each event counts once
/// @param viewer who asks
/// @param countMax where counting stops
/// @param stepsMax steps through posting lists before counting is given up
/// @param registers whether distinct authors are estimated too, if the filter allows it
public record CountRequest(List<Filter> filters, Viewer viewer, long countMax, long stepsMax, boolean registers) {
    /// Where counting stops unless told otherwise.
    public static final long COUNT_MAX = 1_000_000;

    public CountRequest {
        filters = List.copyOf(filters);
    }
}
