package dev.grapnel.nostr.auth;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.Parsed;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventDefect;
import dev.grapnel.nostr.event.EventDraft;
import dev.grapnel.nostr.event.EventLimits;
import dev.grapnel.nostr.event.EventReader;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.event.ParsedEvent;
import dev.grapnel.nostr.url.RequestTarget;
import dev.grapnel.nostr.url.ServiceAddress;
import dev.grapnel.nostr.url.WebUrl;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/// Authentication of one HTTP request by a signed event of kind 27235 (NIP-98, relay 5.9).
public final class HttpAuth {
    /// How far the event's date may be from now.
    public static final Duration TOLERANCE = Duration.ofMinutes(1);

    private static final String SCHEME = "Nostr ";
    private static final int HEADER_MAX = 16 * 1024;
    private static final EventReader READER = new EventReader(EventLimits.DEFAULTS);

    private HttpAuth() {}

    /// What the event must agree with.
    ///
    /// @param target path and query as received
    /// @param bodyHash SHA-256 of the raw body
    /// @param payloadRequired whether the event must name the body's hash
    public record Request(String method, RequestTarget target, Bytes bodyHash, boolean payloadRequired) {
        /// @throws IllegalArgumentException if the hash has not 32 bytes
        public Request {
            if (bodyHash.length() != 32) {
                throw new IllegalArgumentException("a SHA-256 has 32 bytes, not " + bodyHash.length());
            }
        }
    }

    /// The event a client signs for a request without body.
    public static EventDraft draft(String url, String method, Instant now) {
        return draft(url, method, List.of(), now);
    }

    /// The event a client signs for a request with a body of this hash.
    public static EventDraft draft(String url, String method, Bytes bodyHash, Instant now) {
        return draft(url, method, List.of(List.of("payload", bodyHash.toHex())), now);
    }

    private static EventDraft draft(String url, String method, List<List<String>> more, Instant now) {
        var tags = new ArrayList<List<String>>(List.of(List.of("u", url), List.of("method", method)));
        tags.addAll(more);
        return new EventDraft(now.getEpochSecond(), Kinds.HTTP_AUTH, tags, "");
    }

    /// The value of the `Authorization` header.
    public static String header(Event event) {
        return SCHEME + Base64.getEncoder().encodeToString(event.json().toArray());
    }

    /// Reads the value of an `Authorization` header.
    public static Parsed<Event> parseHeader(String header) {
        if (header.length() > HEADER_MAX) {
            return Parsed.invalid("the Authorization header has more than " + HEADER_MAX + " characters");
        }
        if (!header.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
            return Parsed.invalid("the Authorization header does not begin with Nostr");
        }
        return decode(header.substring(SCHEME.length()).strip()).then(HttpAuth::parseEvent);
    }

    private static Parsed<Bytes> decode(String base64) {
        var standard = base64.replace('-', '+').replace('_', '/');
        try {
            return Parsed.valid(Bytes.wrap(Base64.getDecoder().decode(standard)));
        } catch (IllegalArgumentException _) {
            return Parsed.invalid("the Authorization header is not Base64");
        }
    }

    private static Parsed<Event> parseEvent(Bytes json) {
        return switch (READER.read(json.toArray())) {
            case ParsedEvent.Valid(var event) -> Parsed.valid(event);
            case ParsedEvent.Defective(var _, var defect) -> Parsed.invalid(defect.text());
            case ParsedEvent.Nameless(var defect) -> Parsed.invalid(defect.text());
            case ParsedEvent.Unreadable(var reason) -> Parsed.invalid("not an event: " + reason);
        };
    }

    /// Why the event does not prove its author for this request, if it does not. An event that was used
    /// before must be refused by the caller, who remembers.
    public static Optional<String> judge(Event event, Request request, ServiceAddress service, Instant now) {
        if (event.kind() != Kinds.HTTP_AUTH) {
            return Optional.of("an authentication event has kind " + Kinds.HTTP_AUTH);
        }
        if (!Times.isWithin(event, now, TOLERANCE)) {
            return Optional.of("created_at is more than " + TOLERANCE.toSeconds() + " seconds from now");
        }
        return judgeTags(event, request, service).or(() -> judgeSignature(event));
    }

    private static Optional<String> judgeTags(Event event, Request request, ServiceAddress service) {
        var urls = values(event, "u");
        if (urls.size() != 1 || !isRequest(urls.getFirst(), request, service)) {
            return Optional.of("exactly one u tag names the URL of the request");
        }
        var methods = values(event, "method");
        if (methods.size() != 1 || !methods.getFirst().equals(request.method())) {
            return Optional.of("exactly one method tag names the method of the request");
        }
        var payloads = values(event, "payload");
        boolean same = payloads.stream().allMatch(request.bodyHash().toHex()::equals);
        if (!same || (payloads.isEmpty() && request.payloadRequired())) {
            return Optional.of("the payload tag is the SHA-256 of the body in lower-case hex");
        }
        return Optional.empty();
    }

    /// One text for each tag of a name: a tag without value counts too, as an empty one.
    private static List<String> values(Event event, String name) {
        return event.tags().named(name).map(tag -> tag.value().orElse("")).toList();
    }

    private static boolean isRequest(String url, Request request, ServiceAddress service) {
        return WebUrl.parse(url)
                .find()
                .filter(signed -> service.isRequest(signed, request.target()))
                .isPresent();
    }

    private static Optional<String> judgeSignature(Event event) {
        return event.isSigned() ? Optional.empty() : Optional.of(EventDefect.WRONG_SIGNATURE.text());
    }
}
