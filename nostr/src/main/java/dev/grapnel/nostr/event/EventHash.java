package dev.grapnel.nostr.event;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.Word256;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/// The id of an event: SHA-256 of `[0,"<pubkey>",<created_at>,<kind>,<tags>,"<content>"]` (relay 1.3).
final class EventHash {
    private static final MessageDigest SHA_256 = sha256();
    private static final byte[] OPEN = "[0,".getBytes(StandardCharsets.US_ASCII);
    private static final int PUBKEY_AT = Layout.ID.length + Word256.DIGITS + Layout.PUBKEY.length;
    private static final int CREATED_AT_AT = PUBKEY_AT + Word256.DIGITS + Layout.CREATED_AT.length;

    private EventHash() {}

    /// The id of an event in normalised form: tags with their brackets, content with its quotes. All that is hashed
    /// stands there, but for both ends; each part even has the right comma behind it.
    static EventId of(byte[] json, int createdAtDigits, int kindDigits, Span tags, Span content) {
        var digest = newSha256();
        digest.update(OPEN);
        digest.update(json, PUBKEY_AT - 1, Word256.DIGITS + 3);
        digest.update(json, CREATED_AT_AT, createdAtDigits + 1);
        digest.update(json, CREATED_AT_AT + createdAtDigits + Layout.KIND.length, kindDigits + 1);
        digest.update(json, tags.from(), tags.length() + 1);
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
