package dev.grapnel.store.engine;

import dev.grapnel.nostr.Hex;
import dev.grapnel.nostr.Word256;
import dev.grapnel.nostr.event.Address;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.key.PublicKey;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;

/// Keys of the tables. Values that strangers choose are kept whole up to a length and hashed beyond; ids are
/// packed.
final class Keys {
    /// The one list of [dev.grapnel.store.table.Table#TIMES].
    static final byte[] ALL = {0};

    /// Longest value that is kept whole: with what stands before it every key stays below the limit.
    static final int VALUE_MAX = 400;

    private static final byte PACKED = 0;
    private static final byte WHOLE = 1;
    private static final byte HASHED = 2;
    private static final byte ALIAS = 3;
    private static final byte BY_ID = 0;
    private static final byte BY_ADDRESS = 1;
    private static final byte OF_NOTHING = 2;

    private Keys() {}

    static byte[] id(EventId id) {
        return Arrays.copyOf(id.toBytes(), Word256.BYTES / 2);
    }

    static byte[] kind(int kind) {
        return new byte[] {(byte) (kind >>> 8), (byte) kind};
    }

    static byte[] authorKind(PublicKey author, int kind) {
        return join(author.toBytes(), kind(kind));
    }

    static byte[] number(long number) {
        var key = new byte[Long.BYTES];
        for (int i = 0; i < key.length; i++) {
            key[i] = (byte) (number >>> (56 - 8 * i));
        }
        return key;
    }

    static long number(byte[] key) {
        long number = 0;
        for (int i = 0; i < Long.BYTES; i++) {
            number = number << 8 | (key[i] & 0xff);
        }
        return number;
    }

    /// @param value canonical JSON bytes without quotes
    static byte[] tag(char letter, byte[] value) {
        return join(new byte[] {(byte) letter}, value(value));
    }

    static byte[] kindTag(int kind, byte[] tag) {
        return join(kind(kind), tag);
    }

    static byte[] address(Address address) {
        return join(
                kind(address.kind()),
                address.author().toBytes(),
                value(address.identifier().getBytes(StandardCharsets.UTF_8)));
    }

    /// Where events lie that this would be the address of, if their `d` tags stood in another order.
    static byte[] alias(Address address) {
        return join(
                kind(address.kind()),
                address.author().toBytes(),
                new byte[] {ALIAS},
                value(address.identifier().getBytes(StandardCharsets.UTF_8)));
    }

    /// Where a tombstone of this deleter for an id lies.
    static byte[] deletion(PublicKey deleter, EventId id) {
        return join(deleter.toBytes(), new byte[] {BY_ID}, id.toBytes());
    }

    /// Where a tombstone for an address lies; its author is the deleter.
    static byte[] deletion(Address address) {
        return join(address.author().toBytes(), new byte[] {BY_ADDRESS}, address(address));
    }

    /// Stands for the target of a request that names nothing.
    static byte[] noDeletion(PublicKey deleter) {
        return join(deleter.toBytes(), new byte[] {OF_NOTHING});
    }

    static byte[] ban(PublicKey author) {
        return join(new byte[] {0}, author.toBytes());
    }

    static byte[] ban(EventId id) {
        return join(new byte[] {1}, id.toBytes());
    }

    /// Whether a value is kept as its hash: then what an index says must be checked against the event.
    static boolean isHashed(byte[] value) {
        return value.length > VALUE_MAX;
    }

    static boolean startsWith(byte[] key, byte[] prefix) {
        return key.length >= prefix.length && Arrays.equals(key, 0, prefix.length, prefix, 0, prefix.length);
    }

    static byte[] join(byte[]... parts) {
        int length = 0;
        for (var part : parts) {
            length += part.length;
        }
        var joined = new byte[length];
        int at = 0;
        for (var part : parts) {
            System.arraycopy(part, 0, joined, at, part.length);
            at += part.length;
        }
        return joined;
    }

    /// One byte says how a value is written, so that no two values share a key.
    private static byte[] value(byte[] value) {
        if (value.length == Word256.DIGITS && Hex.isHex(value, 0, value.length)) {
            var packed = new byte[1 + Word256.BYTES];
            packed[0] = PACKED;
            EventId.ofHex(value, 0).writeBytes(packed, 1);
            return packed;
        }
        return value.length <= VALUE_MAX ? join(new byte[] {WHOLE}, value) : join(new byte[] {HASHED}, sha256(value));
    }

    private static byte[] sha256(byte[] value) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(value);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
