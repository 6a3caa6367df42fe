package dev.grapnel.store.engine;

import dev.grapnel.nostr.event.EventId;

/// What every index points with: date, the first four bytes of the id, commit number, in 16 bytes.
///
/// The date is inverted, so that ascending postings are in the order of answers (relay 2.6): newest first, ties
/// by lower id. Only ids that share their date and their first four bytes must be looked at to be put in order.
/// Equal postings mean equal events.
record Posting(long high, long low) {
    private static final int NUMBER_BITS = 40;
    private static final long DATE_MAX = (1L << 56) - 1;

    /// The greatest commit number there can be: a thousand changes a second for 34 years.
    static final long NUMBER_MAX = (1L << NUMBER_BITS) - 1;

    static Posting of(long createdAt, EventId id, long number) {
        if (number > NUMBER_MAX) {
            throw new IllegalStateException("commit numbers are used up");
        }
        long prefix = id.a() >>> 32;
        return new Posting(firstAt(createdAt) | prefix >>> 24, (prefix & 0xffffff) << NUMBER_BITS | number);
    }

    /// The high word of the first posting there can be of a date.
    static long firstAt(long createdAt) {
        return (DATE_MAX - Math.min(createdAt, DATE_MAX)) << 8;
    }

    static long createdAt(long high) {
        return DATE_MAX - (high >>> 8);
    }

    static long number(long low) {
        return low & NUMBER_MAX;
    }

    /// The first four bytes of the id.
    static long idPrefix(long high, long low) {
        return (high & 0xff) << 24 | low >>> NUMBER_BITS;
    }

    /// Whether the first posting comes before the second.
    static boolean isBefore(long high, long low, long otherHigh, long otherLow) {
        int order = Long.compareUnsigned(high, otherHigh);
        return order < 0 || (order == 0 && Long.compareUnsigned(low, otherLow) < 0);
    }

    /// Whether two postings are equal but for their numbers: then the ids decide which comes first.
    static boolean isTie(long high, long low, long otherHigh, long otherLow) {
        return high == otherHigh && low >>> NUMBER_BITS == otherLow >>> NUMBER_BITS;
    }
}
