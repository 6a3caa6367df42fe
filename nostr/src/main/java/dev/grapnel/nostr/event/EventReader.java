package dev.grapnel.nostr.event;

import dev.grapnel.nostr.json.JsonScanner;
import dev.grapnel.nostr.json.JsonToken;

/// Reads events. The one place where an event's bytes become an [Event], alone or inside a message: strict
/// (relay 1.1, 1.2), in one pass, without a tree.
public final class EventReader {
    /// Bytes behind the content in normalised JSON: its quote, `,"sig":"`, the digits, `"}`.
    static final int BEHIND_CONTENT = 1 + 8 + 128 + 2;

    private final EventLimits limits;

    /// A reader with these limits; it has no state and may be shared.
    public EventReader(EventLimits limits) {
        this.limits = limits;
    }

    /// The limits it keeps.
    public EventLimits limits() {
        return limits;
    }

    /// Reads a text that is one event and nothing else.
    public ParsedEvent read(byte[] json) {
        return read(json, 0, json.length);
    }

    /// Reads `in[from, to)`, which must be one event and nothing else.
    public ParsedEvent read(byte[] in, int from, int to) {
        var scanner = new JsonScanner(in, from, to, limits.depthMax());
        var token = scanner.next();
        if (token != JsonToken.BEGIN_OBJECT) {
            return new ParsedEvent.Unreadable(token == JsonToken.FAILURE ? scanner.failure() : "not a JSON object");
        }
        var event = read(scanner, in);
        return event instanceof ParsedEvent.Unreadable || scanner.next() == JsonToken.END
                ? event
                : new ParsedEvent.Unreadable(scanner.failure());
    }

    /// Reads the event whose opening brace the scanner, running over `in`, has just passed. Afterwards the
    /// scanner stands behind the closing brace, unless the outcome is `Unreadable`.
    public ParsedEvent read(JsonScanner scanner, byte[] in) {
        return new EventPass(scanner, in, limits).run();
    }
}
