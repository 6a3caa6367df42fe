package dev.grapnel.server.web;

import java.nio.ByteBuffer;
import java.nio.channels.WritePendingException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.server.ConnectionMetaData;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.Callback;

/// The connections that speak HTTP, so that they can be bounded and the slow ones cut. One that became a
/// WebSocket leaves; others look after it.
final class OpenConnections implements Connection.Listener, HttpConfiguration.Customizer {
    private final HttpPort.Limits limits;
    private final LongSupplier nanoTime;
    private final Map<Connection, HeadClock> clocks = new ConcurrentHashMap<>();
    private final AtomicInteger count = new AtomicInteger();
    private final Set<Connection> multiplexed = ConcurrentHashMap.newKeySet();

    OpenConnections(HttpPort.Limits limits, LongSupplier nanoTime) {
        this.limits = limits;
        this.nanoTime = nanoTime;
    }

    int count() {
        return count.get();
    }

    @Override
    public void onOpened(Connection connection) {
        boolean refused = isMultiplexed(connection) && !joinsMultiplexed(connection);
        if (count.incrementAndGet() > limits.connections() || refused) {
            count.decrementAndGet();
            connection.getEndPoint().close();
        } else {
            clocks.put(connection, new HeadClock(nanoTime.getAsLong()));
        }
    }

    /// Which connection is one is asked only here: one of HTTP/1.1 that is being changed says of itself that it is.
    private boolean joinsMultiplexed(Connection connection) {
        multiplexed.add(connection);
        return multiplexed.size() <= limits.multiplexed() || !multiplexed.remove(connection);
    }

    @Override
    public void onClosed(Connection connection) {
        multiplexed.remove(connection);
        if (clocks.remove(connection) != null) {
            count.decrementAndGet();
        }
    }

    /// The head of a request is complete.
    @Override
    public Request customize(Request request, HttpFields.Mutable responseHeaders) {
        var connection = request.getConnectionMetaData().getConnection();
        var clock = clocks.get(connection);
        if (clock != null) {
            clock.begin();
            Request.addCompletionListener(request, _ -> clock.end(nanoTime.getAsLong(), connection.getBytesIn()));
        }
        return request;
    }

    /// Looks at all of them, once.
    void look() {
        long now = nanoTime.getAsLong();
        clocks.forEach((connection, clock) -> {
            if (isMultiplexed(connection)) {
                closeIfQuiet(connection, clock, now);
            } else if (clock.isLate(now, connection.getBytesIn(), limits.head().toNanos())) {
                tellTimeout(connection);
            }
        });
    }

    /// Frames that ask for nothing keep HTTP/2 from idling, so what counts are requests: the first must come as
    /// soon as on other connections, and when bytes come, so must the one they belong to. Who does not leave when
    /// told is cut.
    private void closeIfQuiet(Connection connection, HeadClock clock, long now) {
        long head = limits.head().toNanos();
        if (clock.isLate(now, connection.getBytesIn(), 2 * head)
                || clock.isQuiet(now, limits.idle().toNanos() + head)) {
            connection.getEndPoint().close();
        } else if (clock.isLate(now, connection.getBytesIn(), head)
                || clock.isQuiet(now, limits.idle().toNanos())) {
            connection.close();
        }
    }

    private static boolean isMultiplexed(Connection connection) {
        return connection instanceof ConnectionMetaData data && data.getHttpVersion() == HttpVersion.HTTP_2;
    }

    /// Nobody else writes: there is no request that could be answered.
    private static void tellTimeout(Connection connection) {
        var endPoint = connection.getEndPoint();
        try {
            endPoint.write(Callback.from(endPoint::close), ByteBuffer.wrap(timeoutAnswer(connection)));
        } catch (WritePendingException _) {
            endPoint.close(); // the head came at the last moment and is being answered, or the peer reads nothing
        }
    }

    private static byte[] timeoutAnswer(Connection connection) {
        var answer = new StringBuilder("HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n");
        EveryAnswer.FIELDS.forEach(field -> append(field, answer));
        if (connection instanceof ConnectionMetaData data) {
            append(data.getConnector().getServer().getDateField(), answer);
        }
        return answer.append("\r\n").toString().getBytes(StandardCharsets.US_ASCII);
    }

    private static void append(HttpField field, StringBuilder answer) {
        answer.append(field.getName()).append(": ").append(field.getValue()).append("\r\n");
    }
}
