package dev.grapnel.sync.received;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventLimits;
import dev.grapnel.nostr.event.EventReader;
import dev.grapnel.nostr.event.ParsedEvent;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/// Events whose ids are right and that nobody signed: signing takes longer than all else.
public final class Unsigned {
    private static final EventReader READER = new EventReader(EventLimits.DEFAULTS);

    private Unsigned() {}

    /// A comment on an event, different for each number.
    static Event comment(int number, Event parent) {
        return event(number, 1111, "[[\"e\",\"" + parent.id() + "\"]]");
    }

    /// The same event with another signature, different for each number.
    static Event copy(Event event, int number) {
        var text = event.toString();
        var signature = "%0128x\"}".formatted(number);
        var json = text.substring(0, text.length() - signature.length()) + signature;
        return ((ParsedEvent.Valid) READER.read(json.getBytes(StandardCharsets.UTF_8))).event();
    }

    public static Event event(int number, int kind, String tags) {
        return event(7, number, kind, tags);
    }

    /// @param author whose it says it is
    static Event event(int author, int number, int kind, String tags) {
        var key = "%064x".formatted(author);
        var canonical = "[0,\"" + key + "\",1700000000," + kind + "," + tags + ",\"" + number + "\"]";
        var json = "{\"id\":\"" + sha256(canonical) + "\",\"pubkey\":\"" + key + "\",\"created_at\":1700000000,"
                + "\"kind\":" + kind + ",\"tags\":" + tags + ",\"content\":\"" + number + "\",\"sig\":\""
                + "0".repeat(128) + "\"}";
        return ((ParsedEvent.Valid) READER.read(json.getBytes(StandardCharsets.UTF_8))).event();
    }

    private static String sha256(String text) {
        try {
            var digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }
}
