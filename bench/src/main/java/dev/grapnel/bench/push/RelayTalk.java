package dev.grapnel.bench.push;

import dev.grapnel.bench.load.wire.Connection;
import dev.grapnel.bench.load.wire.Loop;
import dev.grapnel.bench.load.wire.Peer;
import dev.grapnel.bench.load.wire.RelayUrl;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.message.ClientMessage;
import dev.grapnel.nostr.message.MessageLimits;
import dev.grapnel.nostr.message.ParsedRelayMessage.BadEvent;
import dev.grapnel.nostr.message.ParsedRelayMessage.Malformed;
import dev.grapnel.nostr.message.ParsedRelayMessage.Read;
import dev.grapnel.nostr.message.ParsedRelayMessage.Unknown;
import dev.grapnel.nostr.message.RelayMessage;
import dev.grapnel.nostr.message.RelayMessageReader;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// One connection that publishes, and another one that has subscribed to all states from now on.
public final class RelayTalk implements AutoCloseable {
    private static final int PATIENCE_SECONDS = 20;
    private static final byte[] SUBSCRIBE =
            "[\"REQ\",\"states\",{\"kinds\":[30618],\"limit\":0}]".getBytes(StandardCharsets.US_ASCII);

    private final Loop loop = new Loop("push-bench");
    private final RelayMessageReader reader = new RelayMessageReader(MessageLimits.DEFAULTS);
    private final Map<String, Sent> unserved = new ConcurrentHashMap<>();
    private final Connection publisher;
    private volatile @Nullable String broken;

    /// An event that was published.
    ///
    /// @param begun when, as of [System#nanoTime]
    /// @param answered completed with the moment at which it was known that the event is held
    /// @param delivered completed with the moment at which the subscriber had it
    public record Sent(Event event, long begun, CompletableFuture<Long> answered, CompletableFuture<Long> delivered) {
        private void fail(String reason) {
            answered.completeExceptionally(new IOException(reason));
            delivered.completeExceptionally(new IOException(reason));
        }

        /// Waits until the relay has said that the event waits for its git data.
        ///
        /// @throws IOException if it said something else
        public long awaitHeld() throws IOException, InterruptedException {
            return await(answered, "no answer to a published event");
        }

        /// Waits until the subscriber has the event.
        long awaitDelivered() throws IOException, InterruptedException {
            return await(delivered, "the state was not delivered");
        }

        /// The same for what takes longer than usual.
        public long awaitDelivered(int seconds) throws IOException, InterruptedException {
            return await(delivered, "the state was not delivered", seconds);
        }
    }

    /// Connects to the relay at a server's address.
    public RelayTalk(URI server) throws IOException, InterruptedException {
        var url = RelayUrl.parse("ws://" + server.getAuthority() + "/");
        var ready = new CompletableFuture<Boolean>();
        var subscribed = new CompletableFuture<Boolean>();
        publisher = await(loop.call(() -> loop.connect(url, false, new Side(ready, new byte[0]))), "no loop");
        var _ = await(loop.call(() -> loop.connect(url, false, new Side(subscribed, SUBSCRIBE))), "no loop");
        var _ = await(ready, "the relay cannot be reached");
        var _ = await(subscribed, "no answer to the subscription");
    }

    /// Publishes, and waits for nothing.
    public Sent publish(Event event) {
        var message = new ClientMessage.Publish(event).json().toArray();
        var sent = new Sent(event, System.nanoTime(), new CompletableFuture<>(), new CompletableFuture<>());
        unserved.put(event.id().toString(), sent);
        loop.execute(() -> publisher.send(message));
        var reason = broken;
        if (reason != null) {
            sent.fail(reason);
        }
        return sent;
    }

    private static <T> T await(CompletableFuture<T> future, String otherwise) throws IOException, InterruptedException {
        return await(future, otherwise, PATIENCE_SECONDS);
    }

    private static <T> T await(CompletableFuture<T> future, String otherwise, int seconds)
            throws IOException, InterruptedException {
        try {
            return future.get(seconds, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            throw new IOException(otherwise + " within " + seconds + " seconds", e);
        } catch (ExecutionException e) {
            throw new IOException(
                    e.getCause() == null ? otherwise : e.getCause().getMessage(), e);
        }
    }

    @Override
    public void close() {
        loop.close();
    }

    /// One of the two connections.
    private final class Side implements Peer {
        private final CompletableFuture<Boolean> ready;
        private final byte[] greeting;

        Side(CompletableFuture<Boolean> ready, byte[] greeting) {
            this.ready = ready;
            this.greeting = greeting;
        }

        @Override
        public void opened(Connection connection) {
            if (greeting.length == 0) {
                ready.complete(true);
            } else {
                connection.send(greeting);
            }
        }

        @Override
        public void received(Connection connection, byte[] in, int from, int to, long now) {
            switch (reader.read(in, from, to)) {
                case Read(RelayMessage.Ok(var id, var accepted, var message)) -> answer(id, accepted, message, now);
                case Read(RelayMessage.Delivery delivery) -> {
                    var sent = unserved.remove(delivery.event().id().toString());
                    if (sent != null) {
                        sent.delivered().complete(now);
                    }
                }
                case Read(RelayMessage.EndOfStored _) -> ready.complete(true);
                case Read(RelayMessage.Challenge _) -> {
                    // an offer that nobody needs here
                }
                case Read(var other) -> closed(connection, "the relay said " + other);
                case BadEvent _, Unknown _, Malformed _ -> closed(connection, "the relay said what nobody understands");
            }
        }

        private void answer(String id, boolean accepted, String message, long now) {
            var sent = unserved.get(id);
            if (sent == null) {
                return;
            }
            if (accepted && message.startsWith("purgatory:")) {
                sent.answered().complete(now);
            } else {
                sent.fail("the event was not held: " + message);
            }
        }

        @Override
        public void closed(Connection connection, String reason) {
            broken = reason;
            ready.completeExceptionally(new IOException(reason));
            unserved.values().forEach(sent -> sent.fail(reason));
        }
    }
}
