package dev.grapnel.nostr.negentropy;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/// Computes fingerprints of ranges of one set (relay 5.7); for one thread, because it keeps its digest and
/// buffer.
final class Fingerprints {
    private final NegentropyItems items;
    private final MessageDigest sha256 = sha256();
    private final byte[] hashed = new byte[Sum256.BYTES + Varint.BYTES_MAX];

    Fingerprints(NegentropyItems items) {
        this.items = items;
    }

    /// The first half of SHA-256 over the little-endian sum of the ids and their number.
    Fingerprint of(int from, int to) {
        items.sum(from, to).writeBytes(hashed, 0);
        int end = Varint.write(to - from, hashed, Sum256.BYTES);
        sha256.update(hashed, 0, end);
        var digest = ByteBuffer.wrap(sha256.digest());
        return new Fingerprint(digest.getLong(), digest.getLong());
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
