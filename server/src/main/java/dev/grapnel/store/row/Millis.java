package dev.grapnel.store.row;

import java.time.Instant;

/// Whole milliseconds, which is all a row keeps of a time.
final class Millis {
    private static final Instant FIRST = Instant.ofEpochMilli(Long.MIN_VALUE);
    private static final Instant LAST = Instant.ofEpochMilli(Long.MAX_VALUE);

    private Millis() {}

    /// The time as it will be read back. Times so far away that they have no milliseconds become the last
    /// that have.
    static Instant of(Instant time) {
        if (time.isBefore(FIRST)) {
            return FIRST;
        }
        return time.isBefore(LAST) ? Instant.ofEpochMilli(time.toEpochMilli()) : LAST;
    }
}
