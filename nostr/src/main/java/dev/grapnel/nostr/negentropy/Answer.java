package dev.grapnel.nostr.negentropy;

import dev.grapnel.nostr.Bytes;

/// The message being made while a received one is read, range by range: what both roles have in common (relay
/// 5.7).
///
/// Equal ranges are not written at once but remembered as a pending Skip, which the next written range puts
/// before itself and the end of the message forgets. When the frame is full, the last range is taken back and a
/// Fingerprint to infinity stands for everything from the last written bound on; the peer's next message then
/// goes on from there.
final class Answer {
    /// Below this many items a range is listed, otherwise it is split.
    private static final int LISTED_MAX = 32;

    private static final int BUCKETS = 16;

    private final NegentropyItems items;
    private final Fingerprints fingerprints;
    private final FrameLimit limit;
    private final MessageWriter out = new MessageWriter();

    private Bound reached = Bound.ORIGIN;
    private int lower;
    private boolean pendingSkip;

    private Bound written = Bound.ORIGIN;
    private int writtenIndex;
    private boolean full;

    Answer(NegentropyItems items, Fingerprints fingerprints, FrameLimit limit) {
        this.items = items;
        this.fingerprints = fingerprints;
        this.limit = limit;
    }

    /// No more ranges are to be read.
    boolean isFull() {
        return full;
    }

    /// Whether there is nothing left to say.
    boolean isEmpty() {
        return out.size() == 1;
    }

    /// The first own item of the range that comes next.
    int lower() {
        return lower;
    }

    /// The end of the own items below the next range's bound.
    int upper(Bound bound) {
        return items.lowerBound(lower, bound);
    }

    /// Leaves a range as it is: both sides know all about it.
    void settle(Bound bound, int upper) {
        pendingSkip = true;
        reached = bound;
        lower = upper;
    }

    /// Settles a range whose fingerprint is ours too, splits any other.
    void compare(Bound bound, Fingerprint theirs) {
        int upper = upper(bound);
        if (fingerprints.of(lower, upper).equals(theirs)) {
            settle(bound, upper);
        } else {
            split(bound, upper);
        }
    }

    /// Says more about the own items of a range, unless the frame has no room for it.
    void split(Bound bound, int upper) {
        int before = out.size();
        flushSkip();
        if (upper - lower < LISTED_MAX) {
            out.idList(bound, items, lower, upper);
        } else {
            writeBuckets(bound, upper);
        }
        if (limit.isExceededBy(out.size())) {
            out.truncate(before);
            finishWithRest();
        } else {
            advance(bound, upper);
        }
    }

    /// Lists the own items of a range, as many as the frame has room for.
    void list(Bound bound) {
        int upper = upper(bound);
        int end = lower + limit.idsFitting(out.size(), upper - lower);
        var endBound = end < upper ? items.boundAt(end) : bound;
        flushSkip();
        out.idList(endBound, items, lower, end);
        advance(endBound, end);
        if (limit.isExceededBy(out.size())) {
            finishWithRest();
        }
    }

    Bytes toBytes() {
        return out.toBytes();
    }

    private void writeBuckets(Bound bound, int upper) {
        int size = (upper - lower) / BUCKETS;
        int larger = (upper - lower) % BUCKETS;
        int from = lower;
        for (int bucket = 0; bucket < BUCKETS; bucket++) {
            int to = from + size + (bucket < larger ? 1 : 0);
            out.fingerprint(to == upper ? bound : items.separatorBefore(to), fingerprints.of(from, to));
            from = to;
        }
    }

    private void flushSkip() {
        if (pendingSkip) {
            out.skip(reached);
            pendingSkip = false;
        }
    }

    private void advance(Bound bound, int upper) {
        reached = bound;
        lower = upper;
        written = bound;
        writtenIndex = upper;
    }

    /// Exactly the items at or above the last written bound: the peer reads this range as starting there. After a
    /// bound at infinity there is no rest, and a reader would refuse one.
    private void finishWithRest() {
        full = true;
        if (!written.isInfinity()) {
            out.fingerprint(Bound.INFINITY, fingerprints.of(writtenIndex, items.size()));
        }
    }
}
