package dev.grapnel.store.engine;

import dev.grapnel.nostr.filter.Filter;
import dev.grapnel.store.table.ReadTables;
import org.jspecify.annotations.Nullable;

/// One filter of a question: how much it may still be answered, and where its walk stands. It outlives
/// snapshots.
final class Lane {
    private final Filter filter;
    private long left;
    private @Nullable FilterScan scan;

    /// @param limit most events it is answered with
    Lane(Filter filter, long limit) {
        this.filter = filter;
        this.left = filter.isNever() ? 0 : limit;
    }

    Filter filter() {
        return filter;
    }

    /// Reads from these tables from now on, from where the walk stood, but not before the given posting.
    void open(ReadTables tables, Steps steps, long fromHigh, long fromLow) {
        var before = scan;
        if (left == 0 || (before != null && before.isDone())) {
            return;
        }
        boolean further = before != null && Posting.isBefore(fromHigh, fromLow, before.high(), before.low());
        scan = before != null && further
                ? FilterPlan.open(filter, tables, steps, before.high(), before.low())
                : FilterPlan.open(filter, tables, steps, fromHigh, fromLow);
    }

    /// The walk, unless there is nothing more to find or to send.
    @Nullable
    FilterScan findScan() {
        return left == 0 || scan == null || scan.isDone() ? null : scan;
    }

    /// Whether an event that is found here must be looked at itself.
    boolean checks() {
        return scan != null && scan.checks();
    }

    /// Whether an event that was found here matches: if lists alone cannot tell, the event is looked at.
    boolean matches(EventRecord record) {
        return scan == null || scan.matches(record);
    }

    /// Whether more may be sent.
    boolean isWanting() {
        return left > 0;
    }

    /// Whether its limit was reached before its matches ended.
    boolean isCut() {
        return left == 0 && scan != null && !scan.isDone();
    }

    /// Uses one place of the limit.
    void take() {
        left--;
    }
}
