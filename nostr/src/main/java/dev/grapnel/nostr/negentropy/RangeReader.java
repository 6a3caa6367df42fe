package dev.grapnel.nostr.negentropy;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.Parsed;
import dev.grapnel.nostr.event.EventId;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Reads the ranges of a received message one after another. Whatever is wrong becomes a reason: the first one
/// sticks, and reading after it yields zeros, so that only [#next] has to look.
final class RangeReader {
    /// A fingerprint of nothing up to infinity.
    private static final byte[] EMPTY_TAIL =
            Bytes.parseHex("0000017f9c9e31ac8256ca2f258583df262dbc").require().toArray();

    private final byte[] message;
    private final boolean fromResponder;
    private int at = 1;
    private Bound previous = Bound.ORIGIN;
    private @Nullable String problem;

    private RangeReader(Bytes message, boolean fromResponder) {
        this.message = message.toArray();
        this.fromResponder = fromResponder;
    }

    /// Reads what an initiator sent.
    static RangeReader ofInitiator(Bytes message) {
        return new RangeReader(message, false);
    }

    /// Reads what a responder sent.
    static RangeReader ofResponder(Bytes message) {
        return new RangeReader(message, true);
    }

    /// Whether another range, good or bad, follows.
    boolean hasNext() {
        return at < message.length && !isHarmlessTail();
    }

    /// The next range, or what is wrong with it.
    Parsed<Range> next() {
        if (previous.isInfinity()) {
            return Parsed.invalid("data after the bound at infinity");
        }
        var range = readRange(readBound());
        return problem == null ? Parsed.valid(range) : Parsed.invalid(problem);
    }

    /// Appends the ids of a list.
    void copyIds(Range.IdList list, IdBuffer target) {
        for (int i = 0; i < list.count(); i++) {
            target.add(EventId.of(message, list.at() + i * EventId.BYTES));
        }
    }

    /// The reference implementation, when a list that ends at infinity fills the frame, still adds the
    /// fingerprint of the empty rest. Nothing is asked by it, so it must not cost us the peer.
    private boolean isHarmlessTail() {
        return fromResponder
                && previous.isInfinity()
                && Arrays.equals(message, at, message.length, EMPTY_TAIL, 0, EMPTY_TAIL.length);
    }

    private Bound readBound() {
        long timestamp = readTimestamp();
        int prefixBytes = readPrefixLength();
        var bound = new Bound(timestamp, readPrefix(prefixBytes), prefixBytes);
        if (bound.compareTo(previous) < 0) {
            fail("bounds must not decrease");
        }
        previous = bound;
        return bound;
    }

    private Range readRange(Bound bound) {
        long mode = readVarint();
        if (mode == Range.MODE_SKIP) {
            return new Range.Skip(bound);
        }
        if (mode == Range.MODE_FINGERPRINT) {
            return new Range.Fingerprinted(bound, readFingerprint());
        }
        if (mode == Range.MODE_ID_LIST) {
            return readIdList(bound);
        }
        fail("unknown range mode");
        return new Range.Skip(bound);
    }

    /// Infinity is 0, everything else one more than the distance from the bound before; beyond 64 bits is
    /// infinity.
    private long readTimestamp() {
        long encoded = readVarint();
        if (encoded == 0) {
            return Bound.INFINITY.timestamp();
        }
        long timestamp = previous.timestamp() + encoded - 1;
        boolean overflows = Long.compareUnsigned(timestamp, previous.timestamp()) < 0;
        return overflows ? Bound.INFINITY.timestamp() : timestamp;
    }

    private int readPrefixLength() {
        long length = readVarint();
        if (Long.compareUnsigned(length, EventId.BYTES) > 0) {
            fail("bound prefix longer than 32 bytes");
            return 0;
        }
        return (int) length;
    }

    private EventId readPrefix(int length) {
        if (length == 0) {
            return Bound.ORIGIN.prefix();
        }
        var padded = new byte[EventId.BYTES];
        int from = take(length);
        if (from >= 0) {
            System.arraycopy(message, from, padded, 0, length);
        }
        return EventId.of(padded, 0);
    }

    private Fingerprint readFingerprint() {
        int from = take(Fingerprint.BYTES);
        if (from < 0) {
            return new Fingerprint(0, 0);
        }
        var bytes = ByteBuffer.wrap(message, from, Fingerprint.BYTES);
        return new Fingerprint(bytes.getLong(), bytes.getLong());
    }

    private Range.IdList readIdList(Bound bound) {
        long count = readVarint();
        if (Long.compareUnsigned(count, (message.length - at) / EventId.BYTES) > 0) {
            fail("id list longer than the message");
            return new Range.IdList(bound, at, 0);
        }
        return new Range.IdList(bound, take((int) count * EventId.BYTES), (int) count);
    }

    private long readVarint() {
        long value = 0;
        for (int digits = 0; digits < Varint.BYTES_MAX; digits++) {
            int from = take(1);
            if (from < 0) {
                return 0;
            }
            if (value >>> 57 != 0) {
                return fail("number beyond 64 bits");
            }
            value = (value << 7) | (message[from] & 0x7f);
            if (message[from] >= 0) {
                return value;
            }
        }
        return fail("number longer than 10 bytes");
    }

    /// Moves past so many bytes; the index of the first, or -1 when they are not there.
    private int take(int count) {
        if (count > message.length - at) {
            fail("message ends early");
            return -1;
        }
        int from = at;
        at += count;
        return from;
    }

    private long fail(String reason) {
        if (problem == null) {
            problem = reason;
        }
        return 0;
    }
}
