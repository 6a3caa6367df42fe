package dev.grapnel.server.websocket;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Looks at every connection a few times a second, for all that depends on time: one thread instead of several
/// timers for each.
public final class ConnectionWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ConnectionWatch.class);

    private final Set<WebSocketConnection> connections = ConcurrentHashMap.newKeySet();
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("connection-watch").daemon().factory());
    private final LongSupplier nanoTime;

    public ConnectionWatch(Duration interval, LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        var _ = thread.scheduleWithFixedDelay(this::look, interval.toNanos(), interval.toNanos(), TimeUnit.NANOSECONDS);
    }

    void add(WebSocketConnection connection) {
        connections.add(connection);
    }

    void remove(WebSocketConnection connection) {
        connections.remove(connection);
    }

    /// How many are open.
    public int connectionCount() {
        return connections.size();
    }

    private void look() {
        for (var connection : connections) {
            try {
                connection.look(nanoTime.getAsLong());
            } catch (RuntimeException | Error problem) { // one connection's trouble must not end the others' watch
                LOG.error("looking at a connection failed", problem);
            }
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
