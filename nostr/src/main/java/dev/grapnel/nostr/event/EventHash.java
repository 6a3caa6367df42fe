package dev.grapnel.nostr.event;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.Word256;
import dev.grapnel.nostr.key.PublicKey;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/// The id of an event: SHA-256 of `[0,"<pubkey>",<created_at>,<kind>,<tags>,"<content>"]` (relay 1.3).
final class EventHash {
    private static final MessageDigest SHA_256 = sha256();
    private static final byte[] OPEN = "[0,\"".getBytes(StandardCharsets.US_ASCII);
    private static final int HEAD_MAX = OPEN.length + Word256.DIGITS + 2 + 20 + 1 + 5 + 1;

    private EventHash() {}

    /// The id of an event whose tags and content stand in `json` in canonical form: tags with their brackets,
    /// content with its quotes.
    static EventId of(PublicKey author, long createdAt, int kind, byte[] json, Span tags, Span content) {
        var digest = newSha256();
        var head = new byte[HEAD_MAX];
        System.arraycopy(OPEN, 0, head, 0, OPEN.length);
        int at = OPEN.length;
        author.writeHex(head, at);
        at += Word256.DIGITS;
        head[at++] = '"';
        head[at++] = ',';
        at = Digits.write(createdAt, head, at);
        head[at++] = ',';
        at = Digits.write(kind, head, at);
        head[at++] = ',';
        digest.update(head, 0, at);
        digest.update(json, tags.from(), tags.length());
        digest.update((byte) ',');
        digest.update(json, content.from(), content.length());
        digest.update((byte) ']');
        return EventId.of(digest.digest(), 0);
    }

    /// The id of a whole canonical text.
    static EventId of(Bytes canonical) {
        return EventId.of(newSha256().digest(canonical.toArray()), 0);
    }

    /// A range of bytes.
    record Span(int from, int length) {}

    /// A clone of one digest that is never used itself: half the price of asking the provider each time.
    private static MessageDigest newSha256() {
        try {
            return (MessageDigest) SHA_256.clone();
        } catch (CloneNotSupportedException _) {
            return sha256();
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
