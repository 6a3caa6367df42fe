package dev.grapnel.server;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.message.MessageLimits;
import dev.grapnel.nostr.message.ParsedRelayMessage;
import dev.grapnel.nostr.message.RelayMessage;
import dev.grapnel.nostr.message.RelayMessageReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// A Nostr client for tests: says what it is told and reads what comes.
public final class RelayClient implements AutoCloseable {
    private static final RelayMessageReader READER = new RelayMessageReader(MessageLimits.DEFAULTS);

    private final WireClient wire;
    private int asked;

    public RelayClient(WireClient wire) {
        this.wire = wire;
    }

    public WireClient wire() {
        return wire;
    }

    /// Says anything.
    public void send(String json) throws IOException {
        wire.send(json);
    }

    /// The next message as it came.
    public String receive() throws IOException {
        return wire.receive();
    }

    /// The next message, understood.
    public RelayMessage message() throws IOException {
        var text = receive();
        return switch (READER.read(text.getBytes(StandardCharsets.UTF_8))) {
            case ParsedRelayMessage.Read(var message) -> message;
            case ParsedRelayMessage.BadEvent bad -> throw new AssertionError(text + ": " + bad);
            case ParsedRelayMessage.Unknown _ -> throw new AssertionError(text);
            case ParsedRelayMessage.Malformed(var reason) -> throw new AssertionError(text + ": " + reason);
        };
    }

    /// Says something and reads the answer.
    public String ask(String json) throws IOException {
        send(json);
        return receive();
    }

    /// Publishes an event and reads what became of it.
    public RelayMessage.Ok publish(Event event) throws IOException {
        send("[\"EVENT\"," + event + "]");
        return (RelayMessage.Ok) message();
    }

    /// Publishes an event that must be taken.
    public Event publishOk(Event event) throws IOException {
        var ok = publish(event);
        if (!ok.accepted()) {
            throw new AssertionError(ok);
        }
        return event;
    }

    /// Asks for stored events by filters and closes again.
    public List<EventId> query(String... filters) throws IOException {
        return events(filters).stream().map(Event::id).toList();
    }

    /// The same, whole events.
    public List<Event> events(String... filters) throws IOException {
        var id = "q" + asked++;
        send("[\"REQ\",\"" + id + "\"," + String.join(",", filters) + "]");
        var events = stored(id);
        send("[\"CLOSE\",\"" + id + "\"]");
        return events;
    }

    /// Reads the stored events of a subscription up to its EOSE.
    public List<Event> stored(String id) throws IOException {
        var events = new ArrayList<Event>();
        while (true) {
            switch (message()) {
                case RelayMessage.Delivery(var subscription, var event)
                when subscription.text().equals(id) -> events.add(event);
                case RelayMessage.EndOfStored(var subscription, var _)
                when subscription.text().equals(id) -> {
                    return events;
                }
                case RelayMessage other -> throw new AssertionError(other);
            }
        }
    }

    /// Opens a subscription and reads what is stored.
    public List<Event> subscribe(String id, String... filters) throws IOException {
        send("[\"REQ\",\"" + id + "\"," + String.join(",", filters) + "]");
        return stored(id);
    }

    /// The next message, which must be a live event of this subscription.
    public Event live(String id) throws IOException {
        var delivery = (RelayMessage.Delivery) message();
        if (!delivery.id().text().equals(id)) {
            throw new AssertionError(delivery);
        }
        return delivery.event();
    }

    /// Makes sure that nothing has come before the answer to this: what was to be sent is there by then.
    public void expectNothing() throws IOException {
        var id = "nothing" + asked++;
        // no event has this id: what others publish before the end of this is no answer to it
        send("[\"REQ\",\"" + id + "\",{\"ids\":[\"" + "0".repeat(64) + "\"]}]");
        var answer = receive();
        if (!answer.equals("[\"EOSE\",\"" + id + "\"]")) {
            throw new AssertionError(answer);
        }
        send("[\"CLOSE\",\"" + id + "\"]");
    }

    @Override
    public void close() throws IOException {
        wire.close();
    }
}
