package dev.grapnel.client;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.filter.Filter;
import dev.grapnel.nostr.message.ClientMessage;
import dev.grapnel.nostr.message.MessageLimits;
import dev.grapnel.nostr.message.ParsedRelayMessage;
import dev.grapnel.nostr.message.RelayMessage;
import dev.grapnel.nostr.message.RelayMessageReader;
import dev.grapnel.nostr.message.SubscriptionId;
import dev.grapnel.store.tool.ToolFailure;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// A connection to a relay, for one thread that asks and waits.
public final class RelayConnection implements AutoCloseable {
    private static final SubscriptionId ASKED = new SubscriptionId("grapnel");
    private static final int TEXT_MAX = 16 << 20;
    private static final int ANSWERS_MAX = 1_000;

    private final HttpClient client;
    private final WebSocket socket;
    private final Inbox inbox;
    private final String url;
    private final Duration patience;

    private RelayConnection(HttpClient client, WebSocket socket, Inbox inbox, String url, Duration patience) {
        this.client = client;
        this.socket = socket;
        this.inbox = inbox;
        this.url = url;
        this.patience = patience;
    }

    /// Connects.
    ///
    /// @param patience how long to wait for each answer
    /// @throws ToolFailure if nobody answers there
    public static RelayConnection open(String url, Duration patience) {
        var client = HttpClient.newBuilder().connectTimeout(patience).build();
        var inbox = new Inbox();
        try {
            var socket = client.newWebSocketBuilder()
                    .connectTimeout(patience)
                    .buildAsync(URI.create(url), inbox)
                    .join();
            return new RelayConnection(client, socket, inbox, url, patience);
        } catch (CompletionException | IllegalArgumentException e) {
            client.shutdownNow();
            throw new ToolFailure(
                    "no relay answers at " + url + "; is the server running, and is that its address?", e);
        }
    }

    /// Sends an event and waits for what the relay says about it.
    public RelayMessage.Ok publish(Event event) {
        send(new ClientMessage.Publish(event));
        while (true) {
            if (receive() instanceof RelayMessage.Ok answer
                    && answer.eventId().equals(event.id().toHex())) {
                return answer;
            }
        }
    }

    /// The events that a relay has, as far as their signatures are good.
    public List<Event> ask(Filter filter) {
        send(new ClientMessage.Subscribe(ASKED, List.of(filter)));
        var found = new ArrayList<Event>();
        while (true) {
            switch (receive()) {
                case RelayMessage.Delivery(var _, var event) -> {
                    if (found.size() < ANSWERS_MAX && filter.matches(event) && event.isSigned()) {
                        found.add(event);
                    }
                }
                case RelayMessage.EndOfStored _ -> {
                    send(new ClientMessage.Unsubscribe(ASKED));
                    return List.copyOf(found);
                }
                case RelayMessage.Closed(var _, var message) ->
                    throw new ToolFailure("the relay at " + url + " does not answer questions: " + message);
                default -> {
                    // notices, challenges and the like answer nothing that was asked
                }
            }
        }
    }

    private void send(ClientMessage message) {
        try {
            socket.sendText(new String(message.json().toArray(), StandardCharsets.UTF_8), true)
                    .join();
        } catch (CompletionException e) {
            throw new ToolFailure("the connection to " + url + " broke", e);
        }
    }

    private RelayMessage receive() {
        var reader = new RelayMessageReader(MessageLimits.DEFAULTS);
        try {
            while (true) {
                var text = inbox.texts.poll(patience.toNanos(), TimeUnit.NANOSECONDS);
                if (text == null) {
                    throw new ToolFailure("the relay at " + url + " did not answer within " + patience.toSeconds()
                            + " seconds; what was sent may have arrived, and may be sent again");
                }
                if (text.equals(Inbox.END)) {
                    throw new ToolFailure("the relay at " + url + " closed the connection");
                }
                if (reader.read(text.getBytes(StandardCharsets.UTF_8))
                        instanceof ParsedRelayMessage.Read(var message)) {
                    return message;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ToolFailure("interrupted", e);
        }
    }

    @Override
    public void close() {
        socket.abort();
        client.shutdownNow();
    }

    /// Puts messages together and asks for the next only when there is room for it.
    private static final class Inbox implements WebSocket.Listener {
        /// No message is empty.
        static final String END = "";

        private final BlockingQueue<String> texts = new ArrayBlockingQueue<>(ANSWERS_MAX);
        private final StringBuilder part = new StringBuilder();

        @Override
        public @Nullable CompletionStage<?> onText(WebSocket socket, CharSequence text, boolean isLast) {
            part.append(text);
            if (part.length() > TEXT_MAX) {
                socket.abort();
                put(END);
                return null;
            }
            if (isLast) {
                put(part.toString());
                part.setLength(0);
            }
            socket.request(1);
            return null;
        }

        @Override
        public @Nullable CompletionStage<?> onClose(WebSocket socket, int code, String reason) {
            put(END);
            return null;
        }

        @Override
        public void onError(WebSocket socket, Throwable problem) {
            put(END);
        }

        private void put(String text) {
            try {
                texts.put(text);
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt(); // the connection is being given up
            }
        }
    }
}
