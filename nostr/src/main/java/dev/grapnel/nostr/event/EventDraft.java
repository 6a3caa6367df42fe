package dev.grapnel.nostr.event;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.Texts;
import dev.grapnel.nostr.json.JsonWriter;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.key.SecretKey;
import java.util.List;
import java.util.random.RandomGenerator;

/// An event not yet signed.
public record EventDraft(long createdAt, int kind, List<List<String>> tags, String content) {
    private static final EventReader READER = new EventReader(
            new EventLimits(Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE, 8));

    /// @throws IllegalArgumentException if this can never become an event
    public EventDraft {
        if (createdAt < 0 || createdAt > EventPass.CREATED_AT_MAX) {
            throw new IllegalArgumentException("created_at is outside 0 to 2^53-1");
        }
        if (kind < 0 || kind > Kinds.MAX) {
            throw new IllegalArgumentException("kind is outside 0 to " + Kinds.MAX);
        }
        tags = tags.stream().map(List::copyOf).toList();
        if (tags.stream().anyMatch(List::isEmpty)) {
            throw new IllegalArgumentException("a tag has at least one element");
        }
        if (!Texts.isUtf8(content) || !tags.stream().flatMap(List::stream).allMatch(Texts::isUtf8)) {
            throw new IllegalArgumentException("a text holds half of a surrogate pair");
        }
    }

    /// The text that is hashed (relay 1.3), if this author signs.
    public Bytes canonical(PublicKey author) {
        var out = new JsonWriter(256 + content.length());
        out.raw("[0,")
                .hex(author)
                .raw(",")
                .number(createdAt)
                .raw(",")
                .number(kind)
                .raw(",");
        writeTags(out);
        return out.raw(",").string(content).raw("]").toBytes();
    }

    /// The id the event gets if this author signs.
    public EventId id(PublicKey author) {
        return EventHash.of(canonical(author));
    }

    /// Signs with random auxiliary bytes, as everybody should.
    public Event sign(SecretKey key, RandomGenerator random) {
        var auxiliary = new byte[32];
        random.nextBytes(auxiliary);
        return sign(key, Bytes.wrap(auxiliary));
    }

    /// Signs with given auxiliary bytes, which makes the signature repeatable.
    public Event sign(SecretKey key, Bytes auxiliary) {
        var author = key.publicKey();
        var id = id(author);
        var out = new JsonWriter(512 + content.length());
        out.raw("{\"id\":").hex(id).raw(",\"pubkey\":").hex(author);
        out.raw(",\"created_at\":")
                .number(createdAt)
                .raw(",\"kind\":")
                .number(kind)
                .raw(",\"tags\":");
        writeTags(out);
        out.raw(",\"content\":").string(content);
        out.raw(",\"sig\":\"").raw(key.sign(id, auxiliary).toString()).raw("\"}");
        return switch (READER.read(out.toArray())) {
            case ParsedEvent.Valid(var event) -> event;
            case ParsedEvent.Defective(var _, var defect) -> throw new IllegalStateException(defect.text());
            case ParsedEvent.Nameless(var defect) -> throw new IllegalStateException(defect.text());
            case ParsedEvent.Unreadable(var reason) -> throw new IllegalStateException(reason);
        };
    }

    private void writeTags(JsonWriter out) {
        out.raw("[");
        for (int i = 0; i < tags.size(); i++) {
            out.raw(i == 0 ? "[" : ",[");
            for (int k = 0; k < tags.get(i).size(); k++) {
                out.raw(k == 0 ? "" : ",").string(tags.get(i).get(k));
            }
            out.raw("]");
        }
        out.raw("]");
    }
}
