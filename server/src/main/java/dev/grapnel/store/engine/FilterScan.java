package dev.grapnel.store.engine;

import dev.grapnel.nostr.filter.Filter;
import dev.grapnel.store.table.Postings;
import java.util.List;

/// Walks through what one filter matches, in order, newest first.
///
/// Several conditions are met by leapfrog: the list that is behind jumps to where the furthest one is, until
/// all stand at the same posting. So the cost follows the rarest condition. A walk that finds nothing for long
/// stops when its turn is over; then [#isSettled] is false and the current posting only a bound: nothing before
/// it matches.
final class FilterScan {
    private final Filter filter;
    private final Postings[] parts;
    private final Check check;
    private final Steps steps;
    private final long oldest;
    private boolean settled;
    private boolean done;
    private long high;
    private long low;

    /// @param parts all of them must hold the posting
    /// @param check what the lists leave open
    FilterScan(Filter filter, List<Postings> parts, Check check, Steps steps, long fromHigh, long fromLow) {
        this.filter = filter;
        this.parts = parts.toArray(Postings[]::new);
        this.check = check;
        this.steps = steps;
        this.oldest = filter.since().orElse(0);
        long newest =
                filter.until().isPresent() ? Posting.firstAt(filter.until().getAsLong()) : 0;
        if (Posting.isBefore(fromHigh, fromLow, newest, 0)) {
            begin(newest, 0);
        } else {
            begin(fromHigh, fromLow);
        }
    }

    Filter filter() {
        return filter;
    }

    /// Whether an event found here must be looked at itself.
    boolean checks() {
        return check != Check.NONE;
    }

    /// Whether an event found here matches.
    boolean matches(EventRecord record) {
        return switch (check) {
            case NONE -> true;
            case ID -> filter.namesId(record.event().id());
            case KIND -> filter.namesKind(record.kind());
            case ALL -> filter.matches(record.event().read());
        };
    }

    /// Whether there is nothing more.
    boolean isDone() {
        return done;
    }

    /// Whether the current posting is a match and not only a bound.
    boolean isSettled() {
        return settled || done;
    }

    long high() {
        return high;
    }

    long low() {
        return low;
    }

    void next() {
        begin(high, low + 1);
    }

    private void begin(long fromHigh, long fromLow) {
        high = fromHigh;
        low = fromLow;
        settled = false;
        settle();
    }

    /// Goes on until the current posting is a match, or the turn is over.
    void settle() {
        while (!settled && !done) {
            if (steps.mustStop()) {
                return;
            }
            leap();
        }
    }

    private void leap() {
        boolean equal = true;
        for (var part : parts) {
            steps.take();
            part.seek(high, low);
            if (part.isDone()) {
                done = true;
                return;
            }
            if (part.high() != high || part.low() != low) {
                high = part.high();
                low = part.low();
                equal = parts.length == 1;
            }
        }
        settled = equal;
        done = Posting.createdAt(high) < oldest;
    }
}
