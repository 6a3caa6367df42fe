package dev.grapnel.nostr.message;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.filter.Filter;
import dev.grapnel.nostr.json.JsonWriter;
import java.util.List;

/// What a client says to a relay (relay 2.1).
public sealed interface ClientMessage {
    /// `EVENT`: here is an event.
    record Publish(Event event) implements ClientMessage {}

    /// `REQ`: send me stored events, then new ones.
    record Subscribe(SubscriptionId id, List<Filter> filters) implements ClientMessage {
        public Subscribe {
            filters = List.copyOf(filters);
        }
    }

    /// `CLOSE`: send no more.
    record Unsubscribe(SubscriptionId id) implements ClientMessage {}

    /// `COUNT`: how many would there be?
    record Count(SubscriptionId id, List<Filter> filters) implements ClientMessage {
        public Count {
            filters = List.copyOf(filters);
        }
    }

    /// `AUTH`: this is who I am. Whether the event proves it, `auth.RelayAuth` says.
    record Authenticate(Event event) implements ClientMessage {}

    /// `NEG-OPEN`: let us compare what we have.
    record NegOpen(SubscriptionId id, Filter filter, Bytes message) implements ClientMessage {}

    /// `NEG-MSG`: my next step of the comparison.
    record NegMessage(SubscriptionId id, Bytes message) implements ClientMessage {}

    /// `NEG-CLOSE`: the comparison is over.
    record NegClose(SubscriptionId id) implements ClientMessage {}

    /// As it is sent.
    default Bytes json() {
        var out = new JsonWriter(256);
        switch (this) {
            case Publish(var event) -> out.raw("[\"EVENT\",").raw(event.json());
            case Subscribe(var id, var filters) -> writeQuery(out, "REQ", id, filters);
            case Unsubscribe(var id) -> out.raw("[\"CLOSE\",").string(id.text());
            case Count(var id, var filters) -> writeQuery(out, "COUNT", id, filters);
            case Authenticate(var event) -> out.raw("[\"AUTH\",").raw(event.json());
            case NegOpen(var id, var filter, var message) -> {
                out.raw("[\"NEG-OPEN\",").string(id.text()).raw(",");
                filter.write(out);
                out.raw(",\"").raw(message.toHex()).raw("\"");
            }
            case NegMessage(var id, var message) ->
                out.raw("[\"NEG-MSG\",")
                        .string(id.text())
                        .raw(",\"")
                        .raw(message.toHex())
                        .raw("\"");
            case NegClose(var id) -> out.raw("[\"NEG-CLOSE\",").string(id.text());
        }
        return out.raw("]").toBytes();
    }

    private static void writeQuery(JsonWriter out, String command, SubscriptionId id, List<Filter> filters) {
        out.raw("[\"").raw(command).raw("\",").string(id.text());
        for (var filter : filters) {
            out.raw(",");
            filter.write(out);
        }
    }
}
