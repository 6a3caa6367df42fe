package dev.grapnel.nostr.negentropy;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.event.EventId;
import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// Both roles without frame limits, slow and close to the words of relay 5.7: numbers are `BigInteger`, ids are
/// arrays, every question is a pass over all items. Shares no code with the real thing and trusts its input.
final class NaivePeer {
    static final BigInteger INFINITY = BigInteger.TWO.pow(64).subtract(BigInteger.ONE);

    /// A transmitted bound.
    record Edge(BigInteger timestamp, Bytes prefix) {
        boolean isAbove(Item item) {
            int order = timestamp.compareTo(BigInteger.valueOf(item.createdAt()));
            return order > 0
                    || (order == 0
                            && Arrays.compareUnsigned(
                                            Arrays.copyOf(prefix.toArray(), 32),
                                            item.id().toBytes())
                                    > 0);
        }
    }

    /// A transmitted range and the index of the message after it.
    record Span(Edge end, int mode, Bytes fingerprint, List<EventId> ids, int endsAt) {}

    final Set<EventId> have = new HashSet<>();
    final Set<EventId> need = new HashSet<>();
    private final List<Item> items;
    private final boolean initiator;

    private ByteArrayOutputStream out = new ByteArrayOutputStream();
    private BigInteger previous = BigInteger.ZERO;

    NaivePeer(Collection<Item> items, boolean initiator) {
        this.items = List.copyOf(new TreeSet<>(items));
        this.initiator = initiator;
    }

    Bytes first() {
        begin();
        split(items, new Edge(INFINITY, Bytes.EMPTY));
        return Bytes.wrap(out.toByteArray());
    }

    Bytes answer(Bytes message) {
        begin();
        var rest = new ArrayList<>(items);
        boolean skip = false;
        var reached = new Edge(BigInteger.ZERO, Bytes.EMPTY);
        for (var span : parse(message)) {
            var mine = takeBelow(span.end(), rest);
            boolean speaks = switch (span.mode()) {
                case 0 -> false;
                case 1 -> !span.fingerprint().equals(fingerprint(mine));
                default -> !initiator;
            };
            if (span.mode() == 2 && initiator) {
                compare(mine, span.ids());
            }
            if (speaks && skip) {
                bound(reached);
                out.write(0);
            }
            if (speaks && span.mode() == 1) {
                split(mine, span.end());
            } else if (speaks) {
                list(mine, span.end());
            }
            skip = !speaks;
            reached = span.end();
        }
        return Bytes.wrap(out.toByteArray());
    }

    static Bytes fingerprint(List<Item> items) {
        var sum = BigInteger.ZERO;
        for (var item : items) {
            sum = sum.add(new BigInteger(1, reversed(item.id().toBytes())));
        }
        var hashed = new ByteArrayOutputStream();
        var bigEndian = sum.mod(BigInteger.TWO.pow(256)).add(BigInteger.TWO.pow(256));
        hashed.writeBytes(reversed(Arrays.copyOfRange(bigEndian.toByteArray(), 1, 33)));
        hashed.writeBytes(varint(BigInteger.valueOf(items.size())));
        return Bytes.copyOf(sha256(hashed.toByteArray()), 0, 16);
    }

    static byte[] sha256(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    static byte[] varint(BigInteger value) {
        var digits = value.toString(2);
        int count = Math.max(1, (digits.length() + 6) / 7);
        var bytes = new byte[count];
        for (int i = 0; i < count; i++) {
            int digit = value.shiftRight(7 * (count - 1 - i)).intValue() & 0x7f;
            bytes[i] = (byte) (i < count - 1 ? digit | 0x80 : digit);
        }
        return bytes;
    }

    static List<Span> parse(Bytes message) {
        var in = ByteBuffer.wrap(message.toArray());
        in.get();
        var spans = new ArrayList<Span>();
        var time = BigInteger.ZERO;
        while (in.hasRemaining()) {
            var encoded = readVarint(in);
            time = encoded.signum() == 0
                    ? INFINITY
                    : time.add(encoded).subtract(BigInteger.ONE).min(INFINITY);
            var end = new Edge(time, read(in, readVarint(in).intValueExact()));
            int mode = readVarint(in).intValueExact();
            var fingerprint = mode == 1 ? read(in, 16) : Bytes.EMPTY;
            var ids = new ArrayList<EventId>();
            for (int left = mode == 2 ? readVarint(in).intValueExact() : 0; left > 0; left--) {
                ids.add(EventId.of(read(in, 32).toArray(), 0));
            }
            spans.add(new Span(end, mode, fingerprint, ids, in.position()));
        }
        return spans;
    }

    /// Moves the items below a bound from one list to another.
    static List<Item> takeBelow(Edge end, List<Item> rest) {
        var below = rest.stream().takeWhile(end::isAbove).toList();
        rest.subList(0, below.size()).clear();
        return below;
    }

    private void begin() {
        out = new ByteArrayOutputStream();
        out.write(0x61);
        previous = BigInteger.ZERO;
    }

    private void split(List<Item> mine, Edge end) {
        if (mine.size() < 32) {
            list(mine, end);
            return;
        }
        var rest = new ArrayList<>(mine);
        for (int bucket = 0; bucket < 16; bucket++) {
            int size = mine.size() / 16 + (bucket < mine.size() % 16 ? 1 : 0);
            var taken = List.copyOf(rest.subList(0, size));
            rest.subList(0, size).clear();
            bound(bucket == 15 ? end : between(taken.getLast(), rest.getFirst()));
            out.write(1);
            out.writeBytes(fingerprint(taken).toArray());
        }
    }

    private void list(List<Item> mine, Edge end) {
        bound(end);
        out.write(2);
        out.writeBytes(varint(BigInteger.valueOf(mine.size())));
        mine.forEach(item -> out.writeBytes(item.id().toBytes()));
    }

    private void compare(List<Item> mine, List<EventId> theirs) {
        var own = new HashSet<EventId>();
        mine.forEach(item -> own.add(item.id()));
        own.stream().filter(id -> !theirs.contains(id)).forEach(have::add);
        theirs.stream().filter(id -> !own.contains(id)).forEach(need::add);
    }

    private void bound(Edge edge) {
        boolean infinite = edge.timestamp().equals(INFINITY);
        out.writeBytes(varint(
                infinite ? BigInteger.ZERO : edge.timestamp().subtract(previous).add(BigInteger.ONE)));
        previous = edge.timestamp();
        out.write(edge.prefix().length());
        out.writeBytes(edge.prefix().toArray());
    }

    private static Edge between(Item low, Item high) {
        var time = BigInteger.valueOf(high.createdAt());
        if (low.createdAt() != high.createdAt()) {
            return new Edge(time, Bytes.EMPTY);
        }
        var id = high.id().toBytes();
        return new Edge(time, Bytes.copyOf(id, 0, Arrays.mismatch(low.id().toBytes(), id) + 1));
    }

    private static BigInteger readVarint(ByteBuffer in) {
        var value = BigInteger.ZERO;
        int digit;
        do {
            digit = in.get();
            value = value.shiftLeft(7).or(BigInteger.valueOf(digit & 0x7f));
        } while (digit < 0);
        return value;
    }

    private static Bytes read(ByteBuffer in, int count) {
        var bytes = new byte[count];
        in.get(bytes);
        return Bytes.wrap(bytes);
    }

    private static byte[] reversed(byte[] bytes) {
        var result = new byte[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            result[i] = bytes[bytes.length - 1 - i];
        }
        return result;
    }
}
