package dev.grapnel.nostr.rule;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.json.JsonScanner;
import dev.grapnel.nostr.json.JsonToken;
import java.nio.charset.StandardCharsets;

/// Events only their author may publish (NIP-70).
public final class ProtectedEvents {
    private static final String MARK = "-";
    private static final byte[] TAGS = "tags".getBytes(StandardCharsets.US_ASCII);
    /// As deep as anybody may read it: the event's own size is limit enough.
    private static final int DEPTH_MAX = Integer.MAX_VALUE;

    private ProtectedEvents() {}

    /// Whether a tag named `-` says so.
    public static boolean isProtected(Event event) {
        return event.tags().has(MARK);
    }

    /// Whether this is a repost whose content is an event object marked so. Its content need not be a valid
    /// event: the mark is what its author asked for.
    public static boolean isRepostOfProtected(Event event) {
        if (event.kind() != Kinds.REPOST && event.kind() != Kinds.GENERIC_REPOST) {
            return false;
        }
        var content = event.content().getBytes(StandardCharsets.UTF_8);
        var scanner = new JsonScanner(content, 0, content.length, DEPTH_MAX);
        return scanner.next() == JsonToken.BEGIN_OBJECT && hasMark(scanner) && scanner.next() == JsonToken.END;
    }

    /// Reads the object to its end; whether it is JSON and holds a marked list of tags.
    private static boolean hasMark(JsonScanner scanner) {
        boolean marked = false;
        for (var token = scanner.next(); token != JsonToken.END_OBJECT; token = scanner.next()) {
            if (token != JsonToken.NAME) {
                return false;
            }
            boolean tags = scanner.textIs(TAGS);
            var value = scanner.next();
            if (tags && value == JsonToken.BEGIN_ARRAY) {
                marked |= hasMarkedTag(scanner);
            } else if (!scanner.skip(value)) {
                return false;
            }
        }
        return marked;
    }

    private static boolean hasMarkedTag(JsonScanner scanner) {
        boolean marked = false;
        for (var tag = scanner.next(); tag != JsonToken.END_ARRAY; tag = scanner.next()) {
            if (tag == JsonToken.FAILURE) {
                return false;
            }
            if (tag != JsonToken.BEGIN_ARRAY) {
                scanner.skip(tag);
                continue;
            }
            var name = scanner.next();
            marked |= name == JsonToken.STRING && scanner.textIs((byte) '-');
            for (var rest = name; rest != JsonToken.END_ARRAY && rest != JsonToken.FAILURE; rest = scanner.next()) {
                scanner.skip(rest);
            }
        }
        return marked;
    }
}
