package dev.grapnel.server;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.nip19.Npub;
import dev.grapnel.server.ops.Build;
import dev.grapnel.store.StoreSamples;
import dev.grapnel.sync.SyncPicture;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// A whole server that follows others, on a port of its own, by the real clock with short timers.
final class SyncedServer implements AutoCloseable {
    private static final int OPERATOR = 999;

    private final Path directory;
    private final int port;
    private final List<String> settings;
    private Service service;

    SyncedServer(Path directory, String... settings) {
        this.directory = directory;
        this.port = freePort();
        this.settings = List.of(settings);
        this.service = open();
    }

    private static int freePort() {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Service open() {
        var all = new ArrayList<>(List.of(
                "BIND_ADDRESS",
                "127.0.0.1:" + port,
                "DOMAIN",
                domain(),
                "HUNT_ENABLED",
                "true",
                "SYNC_LOOP_INTERVAL_MS",
                "20",
                "TEST",
                "true",
                "SYNC_BASE_BACKOFF_SECS",
                "1"));
        all.addAll(settings);
        try {
            return Service.start(
                    RelayUnderTest.configuration(directory, all.toArray(String[]::new)),
                    StoreSamples.secretKey(OPERATOR),
                    new Build("0.0.0-test", "", "https://example.com/grapnel"));
        } catch (ServiceFailure e) {
            throw new AssertionError(e);
        }
    }

    String domain() {
        return "127.0.0.1:" + port;
    }

    String relayUrl() {
        return "ws://" + domain();
    }

    String cloneUrl(int owner, String identifier) {
        return "http://" + domain() + "/" + new Npub(StoreSamples.author(owner)) + "/" + identifier + ".git";
    }

    RelayClient connect() throws IOException {
        return new RelayClient(WireClient.open(port));
    }

    /// Publishes as a client does.
    void publish(Event event) {
        try (var client = connect()) {
            client.publishOk(event);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// All that everybody sees.
    Set<EventId> served() {
        try (var client = connect()) {
            return new TreeSet<>(client.query("{}"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    SyncPicture picture() {
        return service.syncing().picture().orElseThrow();
    }

    Service service() {
        return service;
    }

    void stop() {
        service.close();
    }

    void start() {
        service = open();
    }

    @Override
    public void close() {
        service.close();
    }
}
