package dev.grapnel.server.hunt;

import dev.grapnel.git.client.RetryAfter;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.filter.Filter;
import dev.grapnel.nostr.message.ClientMessage;
import dev.grapnel.nostr.message.MessageLimits;
import dev.grapnel.nostr.message.ParsedRelayMessage;
import dev.grapnel.nostr.message.RelayMessage;
import dev.grapnel.nostr.message.RelayMessageReader;
import dev.grapnel.nostr.message.SubscriptionId;
import dev.grapnel.outbound.Cancellation;
import dev.grapnel.outbound.OutboundException;
import dev.grapnel.outbound.RemoteUrl;
import dev.grapnel.outbound.websocket.SocketLimits;
import dev.grapnel.outbound.websocket.WebSocket;
import dev.grapnel.outbound.websocket.WebSocket.Heard;
import dev.grapnel.outbound.websocket.WebSocketClient;
import dev.grapnel.outbound.websocket.WebSocketClient.Opened;
import dev.grapnel.purgatory.hunt.Failure;
import dev.grapnel.purgatory.hunt.RelayVisit;
import dev.grapnel.purgatory.hunt.VisitFailed;
import dev.grapnel.websocket.CloseCode;
import java.io.IOException;
import java.net.InetAddress;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/// Asks a relay of a stranger for events by their ids, once.
///
/// It ends with the last event, with EOSE or CLOSED, or when the relay takes too long or talks too much. A challenge
/// is no answer: nothing here authenticates, and most relays show public events all the same.
final class RelaySearch implements RelayVisit {
    private static final SubscriptionId ID = new SubscriptionId("revival");

    /// Messages besides those that were asked for.
    private static final int JUNK_MAX = 100;

    private static final RelayMessageReader READER = new RelayMessageReader(MessageLimits.DEFAULTS);

    private final WebSocketClient client;
    private final RemoteUrl relay;
    private final SocketLimits limits;
    private final InstantSource clock;
    private final Supplier<Optional<InetAddress>> busy;
    private final Cancellation cancellation = new Cancellation();

    /// @param busy an address that had no place for us
    RelaySearch(
            WebSocketClient client,
            RemoteUrl relay,
            SocketLimits limits,
            InstantSource clock,
            Supplier<Optional<InetAddress>> busy) {
        this.client = client;
        this.relay = relay;
        this.limits = limits;
        this.clock = clock;
        this.busy = busy;
    }

    @Override
    public List<Event> find(Set<EventId> ids) throws VisitFailed {
        var found = new LinkedHashMap<EventId, Event>();
        try {
            switch (client.open(relay, limits, cancellation)) {
                case Opened.Refused(var status, var retryAfter) -> throw refused(status, retryAfter);
                case Opened.Open(var socket) -> {
                    try (socket) {
                        ask(socket, ids, found);
                    }
                }
            }
        } catch (OutboundException e) {
            if (found.isEmpty()) { // what came has its own hash and signature, whatever happened afterwards
                throw new VisitFailed(Failures.ofLine(e.failure(), busy.get()), relay.host(), e);
            }
        } catch (IOException e) {
            throw new VisitFailed(new Failure.Passing(), relay.host(), e);
        }
        return List.copyOf(found.values());
    }

    private VisitFailed refused(int status, Optional<String> retryAfter) {
        var wait = retryAfter.flatMap(text -> RetryAfter.parse(text, clock.instant()));
        return new VisitFailed(Failures.ofStatus(status, wait), relay.host());
    }

    private static void ask(WebSocket socket, Set<EventId> ids, Map<EventId, Event> found) throws IOException {
        var filter = Filter.builder().ids(ids).limit(ids.size()).build();
        socket.send(new ClientMessage.Subscribe(ID, List.of(filter)).json());
        int junk = 0;
        while (found.size() < ids.size() && junk < JUNK_MAX) {
            switch (judge(socket.receive(), ids)) {
                case Said.End _ -> junk = JUNK_MAX;
                case Said.Other _ -> junk++;
                case Said.Found(var event) -> junk += found.putIfAbsent(event.id(), event) == null ? 0 : 1;
            }
        }
        socket.bid(CloseCode.NORMAL);
    }

    /// What a message means here.
    private sealed interface Said {
        /// An event that was asked for.
        record Found(Event event) implements Said {}

        /// There is no more.
        record End() implements Said {}

        /// Anything else.
        record Other() implements Said {}
    }

    private static Said judge(Heard heard, Set<EventId> ids) {
        return switch (heard) {
            case Heard.Closed _ -> new Said.End();
            case Heard.Binary _, Heard.Garbled _ -> new Said.Other();
            case Heard.Message(var text) -> judge(READER.read(text.bytes(), 0, text.length()), ids);
        };
    }

    private static Said judge(ParsedRelayMessage message, Set<EventId> ids) {
        return switch (message) {
            case ParsedRelayMessage.Read(RelayMessage.Delivery(var id, var event))
            when id.equals(ID) && ids.contains(event.id()) && event.isSigned() -> new Said.Found(event);
            case ParsedRelayMessage.Read(RelayMessage.EndOfStored(var id, var _)) when id.equals(ID) -> new Said.End();
            case ParsedRelayMessage.Read(RelayMessage.Closed(var id, var _)) when id.equals(ID) -> new Said.End();
            case ParsedRelayMessage.Read _,
                    ParsedRelayMessage.BadEvent _,
                    ParsedRelayMessage.Unknown _,
                    ParsedRelayMessage.Malformed _ -> new Said.Other();
        };
    }

    @Override
    public void cancel() {
        cancellation.cancel();
    }

    @Override
    public void close() {
        cancellation.cancel();
    }
}
