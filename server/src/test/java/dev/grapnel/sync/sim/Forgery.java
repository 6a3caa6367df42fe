package dev.grapnel.sync.sim;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventDraft;
import dev.grapnel.nostr.filter.Filter;
import dev.grapnel.nostr.json.JsonWriter;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.message.SubscriptionId;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.random.RandomGenerator;

/// Messages with events that nobody signed.
final class Forgery {
    private static final int SIGNATURE_BYTES = 64;

    private Forgery() {}

    /// The event with another signature: its id is right.
    static Bytes unsigned(SubscriptionId id, Event event) {
        var json = text(event);
        int at = json.length() - 3;
        char other = json.charAt(at) == '0' ? '1' : '0';
        return delivery(id, json.substring(0, at) + other + json.substring(at + 1));
    }

    /// The event with another content: its id is wrong.
    static Bytes altered(SubscriptionId id, Event event) {
        return delivery(id, text(event).replace("\"content\":\"", "\"content\":\"altered "));
    }

    /// Something that matches a filter, of nobody.
    static Bytes invented(SubscriptionId id, Filter filter, long createdAt, RandomGenerator random) {
        var author = new PublicKey(random.nextLong(), random.nextLong(), random.nextLong(), random.nextLong());
        int kind = filter.kinds().map(List::getFirst).orElse(1111);
        var tags = filter.tags().stream()
                .map(condition -> List.of(
                        Character.toString(condition.letter()),
                        condition.values().toList().getFirst()))
                .toList();
        var draft = new EventDraft(createdAt, kind, tags, "invented " + random.nextLong());
        var signature = new byte[SIGNATURE_BYTES];
        random.nextBytes(signature);
        var out = new JsonWriter(512);
        out.raw("{\"id\":").hex(draft.id(author)).raw(",\"pubkey\":").hex(author);
        out.raw(",\"created_at\":").number(createdAt).raw(",\"kind\":").number(kind);
        out.raw(",\"tags\":[");
        for (int tag = 0; tag < tags.size(); tag++) {
            out.raw(tag == 0 ? "[" : ",[").string(tags.get(tag).getFirst());
            out.raw(",").string(tags.get(tag).getLast()).raw("]");
        }
        out.raw("],\"content\":").string(draft.content());
        out.raw(",\"sig\":\"").raw(Bytes.wrap(signature).toHex()).raw("\"}");
        return delivery(id, out.toString());
    }

    private static String text(Event event) {
        return new String(event.json().toArray(), StandardCharsets.UTF_8);
    }

    private static Bytes delivery(SubscriptionId id, String json) {
        return new JsonWriter(json.length() + 64)
                .raw("[\"EVENT\",")
                .string(id.text())
                .raw(",")
                .raw(json)
                .raw("]")
                .toBytes();
    }
}
