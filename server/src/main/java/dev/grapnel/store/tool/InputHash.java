package dev.grapnel.store.tool;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.store.row.InputPlace;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/// Knows the place in an input by what it was shown of it so far.
final class InputHash {
    /// No event is shorter, so nobody waits for more than one to know how an input begins.
    static final int BEGIN_BYTES_MAX = 256;

    private final MessageDigest all = sha256();
    private final byte[] begin = new byte[BEGIN_BYTES_MAX];
    private int beginBytes;
    private long bytes;

    /// A further source begins. Two files are another input than one with the bytes of both: a line ends where
    /// a file ends.
    void beginSource() {
        all.update((byte) 0);
    }

    /// Adds the first bytes of an array.
    void add(byte[] text, int length) {
        int more = Math.min(length, begin.length - beginBytes);
        System.arraycopy(text, 0, begin, beginBytes, more);
        beginBytes += more;
        all.update(text, 0, length);
        bytes += length;
    }

    /// How many were added.
    long bytes() {
        return bytes;
    }

    /// Where it is now. Something must have been added.
    InputPlace place() {
        return new InputPlace(
                beginBytes, hash(begin, beginBytes), bytes, Bytes.wrap(copy(all).digest()));
    }

    /// Whether it is at a place now.
    boolean isAt(InputPlace place) {
        return bytes == place.bytes() && Bytes.wrap(copy(all).digest()).equals(place.hash());
    }

    /// How the first bytes of an array are known.
    static Bytes hash(byte[] text, int length) {
        var digest = sha256();
        digest.update(text, 0, length);
        return Bytes.wrap(digest.digest());
    }

    private static MessageDigest copy(MessageDigest digest) {
        try {
            return (MessageDigest) digest.clone();
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException("a hash of Java's own can be copied", e);
        }
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
