package dev.grapnel.nostr.auth;

import dev.grapnel.nostr.Refusal;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventDefect;
import dev.grapnel.nostr.event.EventDraft;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.url.ServiceAddress;
import dev.grapnel.nostr.url.WebUrl;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// Authentication to a relay by a signed event of kind 22242 (NIP-42, relay 5.2).
public final class RelayAuth {
    /// How far the event's date may be from now.
    public static final Duration TOLERANCE = Duration.ofMinutes(10);

    /// Relay tags that are looked at; an honest event has one.
    private static final int RELAYS_MAX = 10;

    private RelayAuth() {}

    /// The answer to a challenge of the relay that was dialled at this URL.
    public static EventDraft answer(String challenge, String relayUrl, Instant now) {
        return new EventDraft(
                now.getEpochSecond(),
                Kinds.RELAY_AUTH,
                List.of(List.of("relay", relayUrl), List.of("challenge", challenge)),
                "");
    }

    /// Why the event does not prove its author to this service, if it does not. The signature comes last: it
    /// costs most.
    public static Optional<Refusal> judge(Event event, String challenge, ServiceAddress service, Instant now) {
        if (event.kind() != Kinds.RELAY_AUTH) {
            return refused("an authentication event has kind " + Kinds.RELAY_AUTH);
        }
        if (!Times.isWithin(event, now, TOLERANCE)) {
            return refused("created_at is more than " + TOLERANCE.toSeconds() + " seconds from now");
        }
        if (challenge.isEmpty() || !event.tags().values("challenge").contains(challenge)) {
            return refused("the challenge tag is not the challenge of this session");
        }
        if (event.tags().values("relay").stream().limit(RELAYS_MAX).noneMatch(url -> isRelayHost(url, service))) {
            return refused("no relay tag names this relay");
        }
        return event.isSigned() ? Optional.empty() : Optional.of(EventDefect.WRONG_SIGNATURE.refusal());
    }

    private static boolean isRelayHost(String url, ServiceAddress service) {
        return WebUrl.parse(url).find().filter(service::isRelayHost).isPresent();
    }

    private static Optional<Refusal> refused(String text) {
        return Optional.of(Refusal.invalid(text));
    }
}
