package dev.grapnel.bench.sync;

import dev.grapnel.bench.load.wire.Connection;
import dev.grapnel.bench.load.wire.Loop;
import dev.grapnel.bench.load.wire.Peer;
import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.Parsed;
import dev.grapnel.nostr.filter.Filter;
import dev.grapnel.nostr.message.ClientMessage;
import dev.grapnel.nostr.message.ClientMessageReader;
import dev.grapnel.nostr.message.MessageLimits;
import dev.grapnel.nostr.message.ParsedClientMessage;
import dev.grapnel.nostr.message.RelayMessage;
import dev.grapnel.nostr.message.SubscriptionId;
import dev.grapnel.nostr.negentropy.NegentropyResponder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Relays on one thread, each at an address of its own: a server links to no more than a few at one (R1.16). What they
/// have is in one [Stock]; each has what concerns its own repositories. They answer as relays do, at once and without
/// limits, and deliver by the filters that are open.
final class StockRelays implements AutoCloseable {
    private static final byte[] EVENT = ascii("[\"EVENT\",\"");
    private static final byte[] BETWEEN = ascii("\",");
    private static final byte[] END = ascii("]");
    private static final int PER_NETWORK = 200;

    /// What the existing server says of itself: where nothing is said, twenty subscriptions are all there is room for.
    private static final String INFORMATION =
            "{\"limitation\":{\"max_message_length\":5242880,\"max_subscriptions\":500}}";

    private final Loop loop;
    private final Stock stock;
    private final boolean compares;
    private final List<ServerSocketChannel> listeners = new ArrayList<>();
    private final List<Relay> relays = new ArrayList<>();
    private final ClientMessageReader reader = new ClientMessageReader(MessageLimits.DEFAULTS);
    private @Nullable Followed followed;
    private long requests;
    private long comparisons;
    private long frames;

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /// @param compares whether they know negentropy
    StockRelays(int count, Stock stock, boolean compares) throws IOException {
        this.stock = stock;
        this.compares = compares;
        this.loop = new Loop("relays");
        for (int number = 0; number < count; number++) {
            var listener = ServerSocketChannel.open();
            var address =
                    InetAddress.getByName("127.0." + (1 + number / PER_NETWORK) + "." + (1 + number % PER_NETWORK));
            listener.bind(new InetSocketAddress(address, 0));
            listeners.add(listener);
            var relay = new Relay(number);
            relays.add(relay);
            loop.listen(listener, () -> relay);
        }
    }

    /// Their addresses.
    List<String> urls() throws IOException {
        var urls = new ArrayList<String>();
        for (var listener : listeners) {
            var address = (InetSocketAddress) listener.getLocalAddress();
            urls.add("ws://" + address.getAddress().getHostAddress() + ":" + address.getPort());
        }
        return urls;
    }

    Loop loop() {
        return loop;
    }

    /// Says which repositories each relay has. Before anybody connects.
    void serve(Followed repositories) {
        followed = repositories;
    }

    /// Hands an event to whoever has a filter open for it. On the loop.
    ///
    /// @return whether anybody has
    boolean deliver(int relay, Stock.Entry entry) {
        return relays.get(relay).deliver(entry);
    }

    /// How many have a connection with filters. On the loop.
    int linked() {
        return (int) relays.stream().filter(relay -> !relay.live.isEmpty()).count();
    }

    /// REQs, without those that are only for what comes from now on. On the loop.
    long requests() {
        return requests;
    }

    /// NEG-OPENs. On the loop.
    long comparisons() {
        return comparisons;
    }

    /// All messages. On the loop.
    long frames() {
        return frames;
    }

    @Override
    public void close() throws IOException {
        for (var listener : listeners) {
            listener.close();
        }
        loop.close();
    }

    private final class Relay implements Peer {
        private final int number;
        /// By letter and value: the subscription that asks for it.
        private final Map<String, SubscriptionId> live = new HashMap<>();
        private final Map<SubscriptionId, List<Filter>> open = new LinkedHashMap<>();
        private final Map<SubscriptionId, NegentropyResponder> sessions = new HashMap<>();
        private @Nullable Connection client;

        Relay(int number) {
            this.number = number;
        }

        @Override
        public String document() {
            return INFORMATION;
        }

        @Override
        public void opened(Connection connection) {
            client = connection;
            live.clear();
            open.clear();
            sessions.clear();
        }

        @Override
        public void received(Connection connection, byte[] in, int from, int to, long now) {
            frames++;
            if (reader.read(in, from, to) instanceof ParsedClientMessage.Read(var message)) {
                answer(connection, message);
            } else {
                throw new IllegalStateException(
                        "nobody understands " + new String(in, from, Math.min(200, to - from), StandardCharsets.UTF_8));
            }
        }

        private void answer(Connection connection, ClientMessage message) {
            switch (message) {
                case ClientMessage.Subscribe(var id, var filters) -> subscribe(connection, id, filters);
                case ClientMessage.Unsubscribe(var id) -> unsubscribe(id);
                case ClientMessage.NegOpen open -> compare(connection, open);
                case ClientMessage.NegMessage(var id, var bytes) ->
                    Optional.ofNullable(sessions.get(id))
                            .ifPresent(session -> say(connection, id, session.respond(bytes)));
                case ClientMessage.NegClose(var id) -> sessions.remove(id);
                case ClientMessage.Publish _, ClientMessage.Count _, ClientMessage.Authenticate _ ->
                    throw new IllegalStateException("nobody should say that");
            }
        }

        private void subscribe(Connection connection, SubscriptionId id, List<Filter> filters) {
            boolean isLive = filters.getFirst().limit().orElse(1) == 0;
            if (isLive) {
                open.put(id, filters);
                forEachKey(filters, key -> live.put(key, id));
            } else {
                requests++;
                for (var filter : filters) {
                    stock.find(filter, this::isHere).forEach(entry -> send(connection, id, entry));
                }
            }
            connection.send(new RelayMessage.EndOfStored(id, RelayMessage.Completeness.UNSTATED)
                    .json()
                    .toArray());
        }

        private boolean isHere(int entry) {
            return followed != null && followed.isAt(stock.get(entry).repo(), number);
        }

        private void unsubscribe(SubscriptionId id) {
            var filters = open.remove(id);
            if (filters != null) {
                forEachKey(filters, key -> live.remove(key, id));
            }
        }

        private static void forEachKey(List<Filter> filters, Consumer<String> visitor) {
            for (var filter : filters) {
                for (var tag : filter.tags()) {
                    tag.values().toList().forEach(value -> visitor.accept(tag.letter() + value));
                }
            }
        }

        private void compare(Connection connection, ClientMessage.NegOpen opening) {
            comparisons++;
            if (!compares) {
                connection.send(new RelayMessage.NegError(
                                opening.id(), "invalid: negentropy is unknown here", OptionalLong.empty())
                        .json()
                        .toArray());
                return;
            }
            var session = new NegentropyResponder(
                    stock.items(opening.filter(), this::isHere), NegentropyResponder.FRAME_BYTES_DEFAULT);
            sessions.put(opening.id(), session);
            say(connection, opening.id(), session.respond(opening.message()));
        }

        private void say(Connection connection, SubscriptionId id, Parsed<Bytes> answer) {
            connection.send(
                    new RelayMessage.NegMessage(id, answer.require()).json().toArray());
        }

        private void send(Connection connection, SubscriptionId id, Stock.Entry entry) {
            connection.send(EVENT, ascii(id.text()), BETWEEN, entry.json(), END);
        }

        private boolean deliver(Stock.Entry entry) {
            for (var key : entry.keys()) {
                var id = live.get(key);
                if (id != null && client != null && client.isOpen()) {
                    send(client, id, entry);
                    return true;
                }
            }
            return false;
        }

        @Override
        public void closed(Connection connection, String reason) {
            if (connection.equals(client)) {
                client = null;
                live.clear();
            }
        }
    }
}
