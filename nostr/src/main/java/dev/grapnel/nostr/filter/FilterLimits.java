package dev.grapnel.nostr.filter;

/// How much one REQ, COUNT or NEG-OPEN may ask for (relay, first table).
///
/// @param filtersMax filters in one message
/// @param valuesMax values in all arrays of one message together
/// @param tagConditionsMax `#x` conditions in one filter
/// @param search whether `search` (NIP-50) is understood
public record FilterLimits(int filtersMax, int valuesMax, int tagConditionsMax, boolean search) {
    /// What a Grapnel relay enforces unless told otherwise.
    public static final FilterLimits DEFAULTS = new FilterLimits(200, 25_000, 8, false);

    /// @throws IllegalArgumentException naming the limit that cannot be
    public FilterLimits {
        if (filtersMax < 1) {
            throw new IllegalArgumentException("max-filters must be at least 1");
        }
        if (valuesMax < 1) {
            throw new IllegalArgumentException("max-filter-values must be at least 1");
        }
        if (tagConditionsMax < 1) {
            throw new IllegalArgumentException("max-tag-conditions must be at least 1");
        }
    }
}
