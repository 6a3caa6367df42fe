package dev.grapnel.bench;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.Word256;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.json.JsonWriter;
import dev.grapnel.nostr.key.Signature;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/// Writes one event after the other: begin, tags, content. `EventDraft` does the same with any text, but
/// copies and checks more than millions of events can afford; here every text is known to need no escape.
final class EventWriter {
    private static final byte[] OPEN = "[0,".getBytes(StandardCharsets.US_ASCII);
    private static final String ID = "{\"id\":\"";
    private static final String HEAD = ID + "0".repeat(Word256.DIGITS) + "\",\"pubkey\":";
    private static final String CREATED_AT = ",\"created_at\":";
    private static final String KIND = ",\"kind\":";
    private static final String TAGS = ",\"tags\":";
    private static final String CONTENT = ",\"content\":";
    private static final String TAIL = ",\"sig\":\"" + "0".repeat(Signature.DIGITS) + "\"}";

    private final MessageDigest digest = sha256();

    /// Begins an event.
    Sheet begin(Person author, long createdAt, int kind) {
        return new Sheet(author, createdAt, kind);
    }

    /// An event being written.
    final class Sheet {
        private final Person author;
        private final long createdAt;
        private final int kind;
        private final JsonWriter out = new JsonWriter(2048);
        private final int createdAtFrom;
        private final int kindFrom;
        private final int tagsFrom;
        private String beforeTag = "[\"";

        private Sheet(Person author, long createdAt, int kind) {
            this.author = author;
            this.createdAt = createdAt;
            this.kind = kind;
            createdAtFrom =
                    out.raw(HEAD).hex(author.publicKey()).raw(CREATED_AT).length();
            kindFrom = out.number(createdAt).raw(KIND).length();
            tagsFrom = out.number(kind).raw(TAGS).length();
            out.raw("[");
        }

        /// Adds a tag of ASCII that needs no escape.
        Sheet tag(String name, String... values) {
            out.raw(beforeTag).raw(name);
            for (var value : values) {
                out.raw("\",\"").raw(value);
            }
            return endTag();
        }

        /// Adds a tag whose value is escaped already.
        Sheet tag(String name, Bytes text) {
            out.raw(beforeTag).raw(name).raw("\",\"").raw(text);
            return endTag();
        }

        private Sheet endTag() {
            out.raw("\"]");
            beforeTag = ",[\"";
            return this;
        }

        /// Ends the event without content.
        UnsignedEvent end() {
            return end("");
        }

        /// Ends the event with ASCII that needs no escape.
        UnsignedEvent end(String content) {
            return end(content, Bytes.EMPTY, "");
        }

        /// Ends the event with text that is escaped already.
        UnsignedEvent end(Bytes content) {
            return end("", content, "");
        }

        /// Ends the event with text of three parts, all escaped already.
        UnsignedEvent end(String before, Bytes content, String behind) {
            int contentFrom = out.raw("]").raw(CONTENT).length();
            int contentTo =
                    out.raw("\"").raw(before).raw(content).raw(behind).raw("\"").length();
            var json = out.raw(TAIL).toArray();
            var id = hash(json, contentFrom, contentTo);
            id.writeHex(json, ID.length());
            return new UnsignedEvent(new Past(id, author, kind, createdAt), json);
        }

        /// Hashes the canonical text (relay 1.3), whose parts stand in the event with the right comma
        /// behind each.
        private EventId hash(byte[] json, int contentFrom, int contentTo) {
            digest.update(OPEN);
            digest.update(json, HEAD.length(), createdAtFrom - HEAD.length() - CREATED_AT.length() + 1);
            digest.update(json, createdAtFrom, kindFrom - createdAtFrom - KIND.length() + 1);
            digest.update(json, kindFrom, tagsFrom - kindFrom - TAGS.length() + 1);
            digest.update(json, tagsFrom, contentFrom - tagsFrom - CONTENT.length() + 1);
            digest.update(json, contentFrom, contentTo - contentFrom);
            digest.update((byte) ']');
            return EventId.of(digest.digest(), 0);
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
