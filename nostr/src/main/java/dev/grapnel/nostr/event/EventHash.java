package dev.grapnel.nostr.event;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.Word256;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/// The id of an event: SHA-256 of `[0,"<pubkey>",<created_at>,<kind>,<tags>,"<content>"]` (relay 1.3).
final class EventHash {
    private static final Sha256Pool DIGESTS = new Sha256Pool();
    private static final byte[] OPEN = "[0,".getBytes(StandardCharsets.US_ASCII);

    private EventHash() {}

    /// The id of an event in normalised form: tags with their brackets, content with its quotes. All that is hashed
    /// stands there, but for both ends; each part even has the right comma behind it.
    static EventId of(byte[] json, int createdAtDigits, int kindDigits, Span tags, Span content) {
        var digest = DIGESTS.take();
        digest.update(OPEN);
        digest.update(json, Layout.PUBKEY_AT - 1, Word256.DIGITS + 3);
        digest.update(json, Layout.CREATED_AT_AT, createdAtDigits + 1);
        digest.update(json, Layout.CREATED_AT_AT + createdAtDigits + Layout.KIND.length, kindDigits + 1);
        digest.update(json, tags.from(), tags.length() + 1);
        digest.update(json, content.from(), content.length());
        digest.update((byte) ']');
        return finish(digest);
    }

    /// The id of a whole canonical text.
    static EventId of(Bytes canonical) {
        var digest = DIGESTS.take();
        digest.update(canonical.toArray());
        return finish(digest);
    }

    private static EventId finish(MessageDigest digest) {
        var id = EventId.of(digest.digest(), 0);
        DIGESTS.giveBack(digest);
        return id;
    }

    /// A range of bytes.
    record Span(int from, int length) {}
}
