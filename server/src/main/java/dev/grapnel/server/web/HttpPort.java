package dev.grapnel.server.web;

import dev.grapnel.config.BindAddress;
import java.io.IOException;
import java.net.BindException;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.MetaData;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.http2.server.HTTP2CServerConnectionFactory;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The one port of the service: HTTP/1.1 and cleartext HTTP/2, every request on a virtual thread of its own.
public final class HttpPort implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HttpPort.class);
    private static final int HEAD_BYTES_MAX = 16 * 1024;
    private static final int STREAMS_MAX = 32;
    private static final int BACKLOG = 1024;
    private static final int LOOKS = 20;
    private static final long MULTIPLEXED_BYTES = 2 << 20;

    private final BindAddress bind;
    private final Limits limits;
    private final OpenConnections connections;
    private final ExecutorService requests;
    private final Server server;
    private final ServerConnector connector;

    /// What strangers may take.
    ///
    /// @param head time to send the head of a request
    /// @param idle time that a connection may wait for the next one
    /// @param connections open at once, without WebSockets; more are closed at once
    /// @param multiplexed those of them that may speak HTTP/2, each of which can have many answers on their way
    public record Limits(Duration head, Duration idle, int connections, int multiplexed) {
        public static final Limits DEFAULTS =
                new Limits(Duration.ofSeconds(10), Duration.ofSeconds(60), 8192, multiplexedMax());

        /// A client that takes no answers makes us keep them.
        private static int multiplexedMax() {
            return Math.clamp(Runtime.getRuntime().maxMemory() / MULTIPLEXED_BYTES, 16, 512);
        }

        public Limits {
            if (!head.isPositive() || !idle.isPositive() || connections < 1 || multiplexed < 1) {
                throw new IllegalArgumentException("limits of the port must be positive");
            }
        }
    }

    /// Prepares everything; nothing listens before [#open].
    ///
    /// @param nanoTime a clock that only runs forward
    public HttpPort(BindAddress bind, Limits limits, LongSupplier nanoTime) {
        this.bind = bind;
        this.limits = limits;
        connections = new OpenConnections(limits, nanoTime);
        requests = Executors.newThreadPerTaskExecutor(
                Thread.ofVirtual().name("http-request-", 0).factory());
        var threads = new QueuedThreadPool();
        threads.setName("http");
        threads.setVirtualThreadsExecutor(requests);
        server = new Server(threads);
        server.setErrorHandler(new HttpErrors());
        connector = connector();
        server.addConnector(connector);
    }

    private ServerConnector connector() {
        var configuration = configuration();
        var made = new ServerConnector(
                server, 1, 1, new HttpConnectionFactory(configuration), new CleartextHttp2(configuration));
        made.setHost(bind.address().getHostAddress());
        made.setPort(bind.port());
        made.setAcceptQueueSize(BACKLOG);
        made.setAcceptedTcpNoDelay(true);
        made.setIdleTimeout(limits.idle().toMillis());
        made.addBean(connections);
        return made;
    }

    private HttpConfiguration configuration() {
        var configuration = new HttpConfiguration();
        configuration.setRequestHeaderSize(HEAD_BYTES_MAX);
        configuration.setSendServerVersion(false);
        configuration.setSendXPoweredBy(false);
        configuration.setUriCompliance(UriCompliance.UNSAFE); // Dispatch reads the raw path, and trusts nothing in it
        configuration.addCustomizer((request, headers) -> {
            EveryAnswer.addTo(headers);
            return request;
        });
        configuration.addCustomizer(connections);
        return configuration;
    }

    /// Takes the port; nobody is answered before [#serve].
    ///
    /// @throws IOException with a sentence for the operator, if that cannot be
    public void open() throws IOException {
        try {
            connector.open();
        } catch (IOException e) {
            requests.shutdown();
            throw new IOException("cannot listen on " + bind + ": " + reason(e), e);
        }
    }

    /// Answers from now on.
    ///
    /// @throws IOException with a sentence for the operator, if that cannot be
    public void serve(Handler handler) throws IOException {
        server.setHandler(handler);
        try {
            server.start();
        } catch (Exception e) {
            close();
            throw new IOException("cannot serve on " + bind + ": " + e.getMessage(), e);
        }
        scheduleLook();
        LOG.info("listening address={} port={}", bind.address().getHostAddress(), port());
    }

    private static String reason(IOException failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof BindException
                    && String.valueOf(cause.getMessage()).contains("in use")) {
                return "the address is in use, perhaps by another server that still runs";
            }
        }
        return String.valueOf(
                failure.getCause() == null
                        ? failure.getMessage()
                        : failure.getCause().getMessage());
    }

    /// One look over all connections instead of a timer for each.
    private void scheduleLook() {
        server.getScheduler()
                .schedule(this::lookAgain, Math.max(1, limits.head().toMillis() / LOOKS), TimeUnit.MILLISECONDS);
    }

    private void lookAgain() {
        try {
            connections.look();
        } catch (RuntimeException e) {
            LOG.error("looking at connections failed", e);
        } finally {
            scheduleLook(); // does nothing once the server has stopped
        }
    }

    /// Where it listens, which tells what port 0 became.
    public int port() {
        return connector.getLocalPort();
    }

    /// Connections that speak HTTP now.
    public int connections() {
        return connections.count();
    }

    /// Closes the listening socket. Connections go on.
    public void stopAccepting() {
        connector.close();
    }

    /// Closes everything.
    @Override
    public void close() {
        try {
            server.stop();
        } catch (Exception e) {
            LOG.warn("stopping the port failed", e);
        } finally {
            requests.shutdownNow();
        }
    }

    /// The library's own answer to a wish for HTTP/2 carries the headers of every answer, too.
    private static final class CleartextHttp2 extends HTTP2CServerConnectionFactory {
        CleartextHttp2(HttpConfiguration configuration) {
            super(configuration);
            setMaxConcurrentStreams(STREAMS_MAX);
            setConnectProtocolEnabled(false);
        }

        @Override
        public Connection upgradeConnection(
                Connector connector,
                EndPoint endPoint,
                MetaData.Request upgradeRequest,
                HttpFields.Mutable response101) {
            EveryAnswer.addTo(response101);
            return super.upgradeConnection(connector, endPoint, upgradeRequest, response101);
        }
    }
}
