package dev.grapnel.store.crash;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventDraft;
import dev.grapnel.nostr.event.EventLimits;
import dev.grapnel.nostr.event.EventReader;
import dev.grapnel.nostr.event.ParsedEvent;
import dev.grapnel.nostr.json.JsonWriter;
import dev.grapnel.nostr.key.PublicKey;
import java.util.List;
import java.util.SplittableRandom;

/// Events with right ids and made-up signatures, which the store does not look at: making one costs a hash.
final class MadeUpEvents {
    private static final EventReader READER = new EventReader(
            new EventLimits(Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE, 8));

    private MadeUpEvents() {}

    /// The author of this number, always the same.
    static PublicKey author(long number) {
        var random = new SplittableRandom(number);
        return new PublicKey(random.nextLong(), random.nextLong(), random.nextLong(), random.nextLong());
    }

    static Event event(PublicKey author, int kind, long createdAt, List<List<String>> tags, String content) {
        var id = new EventDraft(createdAt, kind, tags, content).id(author);
        var out = new JsonWriter(512 + content.length());
        out.raw("{\"id\":").hex(id).raw(",\"pubkey\":").hex(author);
        out.raw(",\"created_at\":").number(createdAt).raw(",\"kind\":").number(kind);
        out.raw(",\"tags\":");
        writeTags(tags, out);
        out.raw(",\"content\":").string(content);
        out.raw(",\"sig\":\"").raw(id.toHex()).raw(id.toHex()).raw("\"}");
        return switch (READER.read(out.toArray())) {
            case ParsedEvent.Valid(var event) -> event;
            case ParsedEvent.Defective(var _, var defect) -> throw new IllegalStateException(defect.text());
            case ParsedEvent.Nameless(var defect) -> throw new IllegalStateException(defect.text());
            case ParsedEvent.Unreadable(var reason) -> throw new IllegalStateException(reason);
        };
    }

    private static void writeTags(List<List<String>> tags, JsonWriter out) {
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
