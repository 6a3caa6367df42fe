package dev.grapnel.nostr.message;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.event.EventReader;
import dev.grapnel.nostr.event.ParsedEvent;
import dev.grapnel.nostr.json.JsonToken;
import dev.grapnel.nostr.message.ParsedRelayMessage.BadEvent;
import dev.grapnel.nostr.message.ParsedRelayMessage.Malformed;
import dev.grapnel.nostr.message.ParsedRelayMessage.Read;
import dev.grapnel.nostr.message.ParsedRelayMessage.Unknown;
import dev.grapnel.nostr.message.RelayMessage.Completeness;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BiFunction;
import java.util.function.Function;

/// Reads what other relays send. Events are read as strictly as everywhere; around them it takes what older
/// relays say (relay 5.12): OK and CLOSED without a message, further elements behind those we know.
public final class RelayMessageReader {
    private final MessageLimits limits;
    private final EventReader events;

    /// A reader with these limits; it has no state and may be shared.
    public RelayMessageReader(MessageLimits limits) {
        this.limits = limits;
        this.events = new EventReader(limits.event());
    }

    /// Reads a whole text message.
    public ParsedRelayMessage read(byte[] message) {
        return read(message, 0, message.length);
    }

    /// Reads `in[from, to)`, which is one text message.
    public ParsedRelayMessage read(byte[] in, int from, int to) {
        var scan = new MessageScan(in, from, to, limits.event().depthMax());
        if (scan.next() != JsonToken.BEGIN_ARRAY || scan.next() != JsonToken.STRING) {
            return new Malformed(scan.scanner().failure().isEmpty() ? "not an array with a command" : scan.failure());
        }
        return switch (scan.text()) {
            case "EVENT" -> withId(scan, this::delivery);
            case "OK" -> ok(scan);
            case "EOSE" -> withId(scan, RelayMessageReader::endOfStored);
            case "CLOSED" -> withId(scan, RelayMessageReader::closed);
            case "NOTICE" -> withText(scan, RelayMessage.Notice::new);
            case "COUNT" -> withId(scan, RelayMessageReader::counted);
            case "AUTH" -> withText(scan, RelayMessage.Challenge::new);
            case "NEG-MSG" -> withId(scan, RelayMessageReader::negMessage);
            case "NEG-ERR" -> withId(scan, RelayMessageReader::negError);
            default -> finish(scan, scan.next(), new Unknown());
        };
    }

    private static ParsedRelayMessage withId(
            MessageScan scan, BiFunction<MessageScan, SubscriptionId, ParsedRelayMessage> rest) {
        if (scan.next() != JsonToken.STRING || !SubscriptionId.isEchoable(scan.text())) {
            return new Malformed("no usable id");
        }
        return rest.apply(scan, new SubscriptionId(scan.text()));
    }

    private static ParsedRelayMessage withText(MessageScan scan, Function<String, RelayMessage> message) {
        if (scan.next() != JsonToken.STRING) {
            return new Malformed("a text was expected");
        }
        var read = new Read(message.apply(scan.text()));
        return finish(scan, scan.next(), read);
    }

    private ParsedRelayMessage delivery(MessageScan scan, SubscriptionId id) {
        if (scan.next() != JsonToken.BEGIN_OBJECT || scan.scanner().takeLoneSurrogate()) {
            return new Malformed("an event object was expected");
        }
        return switch (events.read(scan.scanner(), scan.in())) {
            case ParsedEvent.Valid(var event) ->
                finish(scan, scan.next(), new Read(new RelayMessage.Delivery(id, event)));
            case ParsedEvent.Defective(var claimed, var defect) ->
                finish(scan, scan.next(), new BadEvent(id, Optional.of(claimed), defect));
            case ParsedEvent.Nameless(var defect) ->
                finish(scan, scan.next(), new BadEvent(id, Optional.empty(), defect));
            case ParsedEvent.Unreadable(var reason) -> new Malformed(reason);
        };
    }

    private static ParsedRelayMessage ok(MessageScan scan) {
        if (scan.next() != JsonToken.STRING) {
            return new Malformed("an event id was expected");
        }
        var id = scan.text();
        var accepted = scan.next();
        if (accepted != JsonToken.TRUE && accepted != JsonToken.FALSE) {
            return new Malformed("true or false was expected");
        }
        var token = scan.next();
        var message = token == JsonToken.STRING ? scan.text() : "";
        boolean silent = accepted == JsonToken.FALSE && message.isEmpty();
        return finish(
                scan,
                token,
                new Read(new RelayMessage.Ok(
                        id, accepted == JsonToken.TRUE, silent ? "error: no reason given" : message)));
    }

    private static ParsedRelayMessage endOfStored(MessageScan scan, SubscriptionId id) {
        var token = scan.next();
        var completeness = Completeness.UNSTATED;
        if (token == JsonToken.BEGIN_ARRAY) {
            token = scan.next();
            if (token == JsonToken.STRING) {
                completeness = completeness(scan.text());
            }
            while (token != JsonToken.END_ARRAY) {
                if (!scan.scanner().skip(token)) {
                    return new Malformed(scan.failure());
                }
                token = scan.next();
            }
            token = scan.next();
        }
        return finish(scan, token, new Read(new RelayMessage.EndOfStored(id, completeness)));
    }

    private static Completeness completeness(String hint) {
        return switch (hint) {
            case "finish" -> Completeness.FINISHED;
            case "more" -> Completeness.MORE;
            default -> Completeness.UNSTATED;
        };
    }

    private static ParsedRelayMessage closed(MessageScan scan, SubscriptionId id) {
        var token = scan.next();
        var message = token == JsonToken.STRING ? scan.text() : "";
        return finish(scan, token, new Read(new RelayMessage.Closed(id, message)));
    }

    /// What is no hex is as good as an empty message, which nobody understands: whoever compares must hear of it, and
    /// not wait for an answer that has come.
    private static ParsedRelayMessage negMessage(MessageScan scan, SubscriptionId id) {
        var token = scan.next();
        var message = token == JsonToken.STRING ? scan.hex().find().orElse(Bytes.EMPTY) : Bytes.EMPTY;
        return finish(scan, token, new Read(new RelayMessage.NegMessage(id, message)));
    }

    private static ParsedRelayMessage negError(MessageScan scan, SubscriptionId id) {
        var token = scan.next();
        var reason = "";
        if (token == JsonToken.STRING) {
            reason = scan.text();
            token = scan.next();
        }
        long number = token == JsonToken.NUMBER ? scan.scanner().plainInteger() : -1;
        var limit = number < 0 ? OptionalLong.empty() : OptionalLong.of(number);
        return finish(scan, token, new Read(new RelayMessage.NegError(id, reason, limit)));
    }

    private static ParsedRelayMessage counted(MessageScan scan, SubscriptionId id) {
        if (scan.next() != JsonToken.BEGIN_OBJECT) {
            return new Malformed("an object was expected");
        }
        long count = -1;
        boolean approximate = false;
        var hll = Bytes.EMPTY;
        for (var token = scan.next(); token != JsonToken.END_OBJECT; token = scan.next()) {
            if (token != JsonToken.NAME) {
                return new Malformed(scan.failure());
            }
            var name = scan.text();
            var value = scan.next();
            switch (name) {
                case "count" ->
                    count = value == JsonToken.NUMBER ? scan.scanner().plainInteger() : -1;
                case "approximate" -> approximate = value == JsonToken.TRUE;
                case "hll" -> hll = value == JsonToken.STRING ? registers(scan) : Bytes.EMPTY;
                default -> {
                    // Unknown names may come with later versions of NIP-45.
                }
            }
            if (!scan.scanner().skip(value)) {
                return new Malformed(scan.failure());
            }
        }
        return count < 0
                ? new Malformed("no count")
                : finish(scan, scan.next(), new Read(new RelayMessage.Counted(id, count, approximate, hll)));
    }

    private static Bytes registers(MessageScan scan) {
        return scan.hex()
                .find()
                .filter(bytes -> bytes.length() == RelayMessage.Counted.REGISTERS)
                .orElse(Bytes.EMPTY);
    }

    private static ParsedRelayMessage finish(MessageScan scan, JsonToken token, ParsedRelayMessage outcome) {
        return scan.finish(token) ? outcome : new Malformed(scan.failure());
    }
}
