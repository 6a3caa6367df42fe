package dev.grapnel.server.control;

import dev.grapnel.nostr.json.JsonWriter;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Answers the operator on a local socket: one virtual thread a connection, one request each.
public final class ControlServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ControlServer.class);
    private static final Duration STOP_MAX = Duration.ofSeconds(10);

    private final ControlSocket socket;
    private final Map<String, ControlCommand> commands;
    private final ControlLimits limits;
    private final LongSupplier nanoTime;
    private final Set<ControlConnection> connections = ConcurrentHashMap.newKeySet();
    private final ExecutorService threads = Executors.newThreadPerTaskExecutor(
            Thread.ofVirtual().name("control-", 0).factory());

    private ControlServer(
            ControlSocket socket, Map<String, ControlCommand> commands, ControlLimits limits, LongSupplier nanoTime) {
        this.socket = socket;
        this.commands = commands;
        this.limits = limits;
        this.nanoTime = nanoTime;
    }

    /// Opens the socket in a directory, or where that directory says, and answers from now on.
    ///
    /// @param nanoTime a clock that only runs forward
    /// @throws IOException with a sentence for the operator
    public static ControlServer open(
            Path directory, List<ControlCommand> commands, ControlLimits limits, LongSupplier nanoTime)
            throws IOException {
        var named = new LinkedHashMap<String, ControlCommand>();
        commands.forEach(command -> named.put(command.name(), command));
        var server = new ControlServer(
                ControlSocket.bind(directory, Path.of(System.getProperty("java.io.tmpdir", "/tmp"))),
                Collections.unmodifiableMap(named),
                limits,
                nanoTime);
        server.threads.execute(server::accept);
        return server;
    }

    /// Where it listens.
    public Path path() {
        return socket.path();
    }

    private void accept() {
        try {
            while (true) {
                welcome(socket.channel().accept());
            }
        } catch (ClosedChannelException _) {
            LOG.debug("control socket closed"); // by us
        } catch (IOException e) {
            LOG.error("control socket is of no use any more path={}", path(), e);
        }
    }

    private void welcome(SocketChannel channel) {
        var lines = new LineChannel(channel);
        if (connections.size() >= limits.connectionsMax()) {
            sendAway(lines);
            return;
        }
        var connection = new ControlConnection(lines, commands, limits, nanoTime);
        connections.add(connection);
        threads.execute(() -> {
            try {
                connection.run();
            } finally {
                connections.remove(connection);
            }
        });
    }

    /// The one line fits into the socket's own buffer, so nobody is waited for.
    private void sendAway(LineChannel lines) {
        try (lines) {
            lines.write(new JsonWriter(128)
                    .raw("{\"error\":")
                    .string("the server answers " + limits.connectionsMax()
                            + " requests already, which is the most; try again in a moment")
                    .raw("}"));
        } catch (IOException e) {
            LOG.debug("control client not sent away reason={}", e.getMessage());
        }
    }

    /// Closes connections that nothing moves on; to be called from time to time.
    public void look() {
        connections.forEach(ControlConnection::look);
    }

    /// Ends every answer where it is, and waits for the commands to notice.
    @Override
    public void close() {
        socket.close();
        threads.shutdown();
        connections.forEach(ControlConnection::close);
        try {
            if (!threads.awaitTermination(STOP_MAX.toNanos(), TimeUnit.NANOSECONDS)) {
                LOG.warn("control commands still run connections={}", connections.size());
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt(); // then nobody is waited for
        }
    }
}
