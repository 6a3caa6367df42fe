package dev.grapnel.store;

import dev.grapnel.nostr.filter.Filter;

/// How much one question may be answered and cost (relay 2.6, 7.4).
///
/// @param limitMax most events of one filter, whatever it asks for
/// @param limitDefault most events of a filter that does not say
/// @param stepsMax steps through posting lists before the question is given up
public record QueryLimits(long limitMax, long limitDefault, long stepsMax) {
    /// What a Grapnel relay enforces unless told otherwise.
    public static final QueryLimits DEFAULTS = new QueryLimits(5_000, 5_000, 5_000_000);

    /// For the server's own questions.
    public static final QueryLimits NONE = new QueryLimits(Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE);

    /// @throws IllegalArgumentException naming the limit that cannot be
    public QueryLimits {
        if (limitMax < 1) {
            throw new IllegalArgumentException("max-limit must be at least 1");
        }
        if (limitDefault < 1 || limitDefault > limitMax) {
            throw new IllegalArgumentException("default-limit must be at least 1 and at most max-limit");
        }
        if (stepsMax < 1) {
            throw new IllegalArgumentException("the work budget must be at least 1 step");
        }
    }

    /// Most events this filter is answered with.
    public long of(Filter filter) {
        if (filter.limit().isPresent()) {
            return Math.min(filter.limit().getAsLong(), limitMax);
        }
        return filter.ids().map(ids -> Math.max(ids.size(), limitDefault)).orElse(limitDefault);
    }
}
