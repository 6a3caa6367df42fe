package dev.grapnel.nostr.rule;

import dev.grapnel.nostr.Parsed;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.url.ServiceAddress;
import dev.grapnel.nostr.url.WebUrl;
import java.util.List;

/// A request to forget everything of an author up to a date (NIP-62, relay 4.7).
///
/// @param relays the relays named, as written; at most [#RELAYS_MAX]
public record VanishRequest(EventId id, PublicKey author, long createdAt, List<String> relays) {
    /// Names every relay there is.
    public static final String ALL_RELAYS = "ALL_RELAYS";

    /// Relay tags that are looked at: reading addresses takes time, and a stranger may send thousands.
    public static final int RELAYS_MAX = 200;

    public VanishRequest {
        relays = List.copyOf(relays);
    }

    /// Reads a kind 62 event, which names at least one relay.
    public static Parsed<VanishRequest> parse(Event event) {
        if (event.kind() != Kinds.VANISH) {
            return Parsed.invalid("not a request to vanish");
        }
        var relays = event.tags().values("relay").stream().limit(RELAYS_MAX).toList();
        return relays.isEmpty()
                ? Parsed.invalid("a request to vanish names its relays in relay tags")
                : Parsed.valid(new VanishRequest(event.id(), event.author(), event.createdAt(), relays));
    }

    /// Whether this relay is meant.
    public boolean names(ServiceAddress service) {
        return relays.stream().anyMatch(relay -> relay.equals(ALL_RELAYS) || isRelay(service, relay));
    }

    private static boolean isRelay(ServiceAddress service, String relay) {
        return WebUrl.parse(relay).find().filter(service::isRelay).isPresent();
    }

    /// Whether this event goes: the author's own up to the date, and gift wraps to the author; not the
    /// request itself.
    public boolean covers(Event event) {
        boolean concerned = event.author().equals(author)
                || (event.kind() == Kinds.GIFT_WRAP && event.tags().values("p").contains(author.toString()));
        return concerned && event.createdAt() <= createdAt && !event.id().equals(id);
    }
}
