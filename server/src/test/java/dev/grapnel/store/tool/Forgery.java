package dev.grapnel.store.tool;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventLimits;
import dev.grapnel.nostr.event.EventReader;
import dev.grapnel.nostr.event.ParsedEvent;
import java.nio.charset.StandardCharsets;

/// Events that nobody signed.
public final class Forgery {
    private Forgery() {}

    /// The same event, id included, with another signature.
    public static Event of(Event event) {
        var text = event.toString();
        int last = text.length() - 3;
        var forged = text.substring(0, last) + (text.charAt(last) == '0' ? '1' : '0') + text.substring(last + 1);
        return ((ParsedEvent.Valid) new EventReader(EventLimits.DEFAULTS).read(forged.getBytes(StandardCharsets.UTF_8)))
                .event();
    }
}
