package dev.grapnel.nostr.message;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.Parsed;
import dev.grapnel.nostr.Refusal;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventReader;
import dev.grapnel.nostr.event.ParsedEvent;
import dev.grapnel.nostr.filter.Filter;
import dev.grapnel.nostr.filter.FilterReader;
import dev.grapnel.nostr.filter.ParsedFilter;
import dev.grapnel.nostr.json.JsonToken;
import dev.grapnel.nostr.message.ParsedClientMessage.Nothing;
import dev.grapnel.nostr.message.ParsedClientMessage.Read;
import dev.grapnel.nostr.message.ParsedClientMessage.Refused;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;

/// Reads what clients send, in one pass, and answers what is malformed (relay 1.5, 2.3).
///
/// A message that is not JSON as a whole is answered by NOTICE, whatever stood at its beginning; so each
/// branch reads to the end before it speaks. Texts are chosen with care, because programs search them (relay
/// 2.2).
public final class ClientMessageReader {
    private static final Refused NEGENTROPY_OFF =
            notice(new Refusal(Refusal.Prefix.UNSUPPORTED, "bad msg: unknown cmd, negentropy disabled"));

    private final MessageLimits limits;
    private final EventReader events;

    /// A reader with these limits; it has no state and may be shared.
    public ClientMessageReader(MessageLimits limits) {
        this.limits = limits;
        this.events = new EventReader(limits.event());
    }

    /// Reads a whole text message.
    public ParsedClientMessage read(byte[] message) {
        return read(message, 0, message.length);
    }

    /// Reads `in[from, to)`, which is one text message.
    public ParsedClientMessage read(byte[] in, int from, int to) {
        var scan = new MessageScan(in, from, to, limits.event().depthMax());
        if (scan.scanner().isBlank()) {
            return new Nothing();
        }
        return switch (scan.next()) {
            case BEGIN_ARRAY -> command(scan);
            case FAILURE -> unreadable(scan);
            default -> notice(Refusal.invalid("a message is a JSON array"));
        };
    }

    private ParsedClientMessage command(MessageScan scan) {
        var token = scan.next();
        if (token != JsonToken.STRING) {
            return finish(scan, token, notice(Refusal.invalid("a message begins with a command in quotes")));
        }
        var command = scan.text();
        if (command.startsWith("NEG-") && !limits.negentropy()) {
            return finish(scan, scan.next(), NEGENTROPY_OFF);
        }
        return switch (command) {
            case "EVENT" -> event(scan, ClientMessage.Publish::new);
            case "AUTH" -> event(scan, ClientMessage.Authenticate::new);
            case "REQ" -> query(scan, ClientMessage.Subscribe::new);
            case "COUNT" -> query(scan, ClientMessage.Count::new);
            case "CLOSE" -> unsubscribe(scan);
            case "NEG-OPEN" -> session(scan, this::negOpen);
            case "NEG-MSG" -> session(scan, this::negMessage);
            case "NEG-CLOSE" -> session(scan, this::negClose);
            default -> finish(scan, scan.next(), notice(Refusal.unsupported("the command is unknown here")));
        };
    }

    private ParsedClientMessage event(MessageScan scan, Function<Event, ClientMessage> message) {
        var token = scan.next();
        if (token != JsonToken.BEGIN_OBJECT) {
            return finish(scan, token, notice(Refusal.invalid("an event object was expected")));
        }
        if (scan.scanner().takeLoneSurrogate()) {
            return notice(Refusal.invalid("a string holds half of a surrogate pair"));
        }
        return switch (events.read(scan.scanner(), scan.in())) {
            case ParsedEvent.Valid(var event) -> finish(scan, scan.next(), new Read(message.apply(event)));
            case ParsedEvent.Defective(var id, var defect) ->
                finish(scan, scan.next(), new Refused(RelayMessage.refused(id, defect.refusal())));
            case ParsedEvent.Nameless(var defect) -> finish(scan, scan.next(), notice(defect.refusal()));
            case ParsedEvent.Unreadable(var reason) -> notice(Refusal.invalid(reason));
        };
    }

    private ParsedClientMessage query(
            MessageScan scan, BiFunction<SubscriptionId, List<Filter>, ClientMessage> message) {
        var token = scan.next();
        if (token != JsonToken.STRING) {
            return finish(scan, token, notice(Refusal.invalid("an id in quotes was expected")));
        }
        var text = scan.text();
        if (!SubscriptionId.isEchoable(text)) {
            return finish(scan, scan.next(), notice(Refusal.invalid(idLength())));
        }
        var id = new SubscriptionId(text);
        if (!id.isUsable(limits.subscriptionIdMax())) {
            return finish(scan, scan.next(), closed(id, Refusal.invalid(idLength())));
        }
        return filters(scan, id, message);
    }

    private ParsedClientMessage filters(
            MessageScan scan, SubscriptionId id, BiFunction<SubscriptionId, List<Filter>, ClientMessage> message) {
        var reader = new FilterReader(limits.filter(), scan.scanner(), scan.in());
        var filters = new ArrayList<Filter>();
        for (var token = scan.next(); token != JsonToken.END_ARRAY; token = scan.next()) {
            switch (reader.read(token)) {
                case ParsedFilter.Valid(var filter) -> filters.add(filter);
                case ParsedFilter.Refused(var refusal) -> {
                    return finish(scan, scan.next(), closed(id, refusal));
                }
                case ParsedFilter.Unreadable _ -> {
                    return unreadable(scan);
                }
            }
        }
        if (!scan.finish()) {
            return unreadable(scan);
        }
        return filters.isEmpty()
                ? closed(id, Refusal.invalid("at least one filter is needed"))
                : new Read(message.apply(id, filters));
    }

    private ParsedClientMessage unsubscribe(MessageScan scan) {
        var token = scan.next();
        if (token != JsonToken.STRING) {
            return finish(scan, token, notice(Refusal.invalid("an id in quotes was expected")));
        }
        var text = scan.text();
        return finish(
                scan,
                scan.next(),
                SubscriptionId.isEchoable(text)
                        ? new Read(new ClientMessage.Unsubscribe(new SubscriptionId(text)))
                        : new Nothing());
    }

    private ParsedClientMessage session(
            MessageScan scan, BiFunction<MessageScan, SubscriptionId, ParsedClientMessage> message) {
        var token = scan.next();
        var text = token == JsonToken.STRING ? scan.text() : "";
        var usable = SubscriptionId.isEchoable(text) && new SubscriptionId(text).isUsable(limits.subscriptionIdMax());
        return usable
                ? message.apply(scan, new SubscriptionId(text))
                : finish(scan, token, notice(Refusal.invalid("an id in quotes was expected, and " + idLength())));
    }

    private ParsedClientMessage negOpen(MessageScan scan, SubscriptionId id) {
        var token = scan.next();
        if (token == JsonToken.END_ARRAY) {
            return finish(scan, token, negError(id, Refusal.invalid("a filter was expected")));
        }
        return switch (new FilterReader(limits.filter(), scan.scanner(), scan.in()).read(token)) {
            case ParsedFilter.Valid(var filter) -> firstMessage(scan, id, filter);
            case ParsedFilter.Refused(var refusal) -> finish(scan, scan.next(), negError(id, refusal));
            case ParsedFilter.Unreadable _ -> unreadable(scan);
        };
    }

    private ParsedClientMessage firstMessage(MessageScan scan, SubscriptionId id, Filter filter) {
        var token = scan.next();
        if (token == JsonToken.NUMBER) {
            return retiredProtocol(scan, id);
        }
        if (token != JsonToken.STRING) {
            return finish(scan, token, negError(id, Refusal.invalid("a message in hex was expected")));
        }
        var hex = scan.hex();
        var surplus = scan.next();
        return finish(
                scan,
                surplus,
                surplus == JsonToken.END_ARRAY
                        ? hexMessage(id, hex, message -> new ClientMessage.NegOpen(id, filter, message))
                        : negError(id, Refusal.invalid("something follows the message in hex")));
    }

    /// Protocol 0 had the size of ids before the message, hence five elements.
    private static ParsedClientMessage retiredProtocol(MessageScan scan, SubscriptionId id) {
        boolean whole = scan.scanner().plainInteger() >= 0;
        var fifth = scan.next();
        return finish(
                scan,
                fifth,
                negError(
                        id,
                        whole && fifth != JsonToken.END_ARRAY
                                ? Refusal.unsupported("protocol 0 is not spoken any more, only version 1")
                                : Refusal.invalid("a message in hex was expected")));
    }

    private ParsedClientMessage negMessage(MessageScan scan, SubscriptionId id) {
        var token = scan.next();
        if (token != JsonToken.STRING) {
            return finish(scan, token, negError(id, Refusal.invalid("a message in hex was expected")));
        }
        var hex = scan.hex();
        return finish(scan, scan.next(), hexMessage(id, hex, message -> new ClientMessage.NegMessage(id, message)));
    }

    private ParsedClientMessage negClose(MessageScan scan, SubscriptionId id) {
        return finish(scan, scan.next(), new Read(new ClientMessage.NegClose(id)));
    }

    private static ParsedClientMessage hexMessage(
            SubscriptionId id, Parsed<Bytes> hex, Function<Bytes, ClientMessage> message) {
        return switch (hex) {
            case Parsed.Valid<Bytes>(var bytes) -> new Read(message.apply(bytes));
            case Parsed.Invalid<Bytes>(var reason) -> negError(id, Refusal.invalid(reason));
        };
    }

    private String idLength() {
        return "an id has 1 to " + limits.subscriptionIdMax() + " characters";
    }

    /// Reads to the end, starting with this token, and gives the outcome if all of it was JSON.
    private static ParsedClientMessage finish(MessageScan scan, JsonToken token, ParsedClientMessage outcome) {
        return scan.finish(token) ? outcome : unreadable(scan);
    }

    private static Refused unreadable(MessageScan scan) {
        return notice(Refusal.invalid("not a JSON message: " + scan.failure()));
    }

    private static Refused notice(Refusal refusal) {
        return new Refused(RelayMessage.notice(refusal));
    }

    private static Refused closed(SubscriptionId id, Refusal refusal) {
        return new Refused(RelayMessage.closed(id, refusal));
    }

    private static Refused negError(SubscriptionId id, Refusal refusal) {
        return new Refused(RelayMessage.negError(id, refusal));
    }
}
