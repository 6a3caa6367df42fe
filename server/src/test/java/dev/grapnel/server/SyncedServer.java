package dev.grapnel.server;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.message.RelayMessage;
import dev.grapnel.nostr.nip19.Npub;
import dev.grapnel.outbound.PlainHttp;
import dev.grapnel.server.ops.Build;
import dev.grapnel.store.StoreSamples;
import dev.grapnel.sync.SyncPicture;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// A whole server that follows others, on a port of its own, by the real clock with short timers.
final class SyncedServer implements AutoCloseable {
    private static final int OPERATOR = 999;

    private final Path directory;
    private final int port;
    private final List<String> settings;
    private Service service;
    private @Nullable RelayClient reader;
    private int asked;

    /// @param settings names and values in turn; without prefix, or with that of the existing server
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
                "SYNC_ENABLED",
                "true",
                "TEST",
                "true",
                "SYNC_BASE_BACKOFF_SECS",
                "1"));
        for (int i = 0; i < settings.size(); i += 2) { // whatever its name, what a test says counts
            var name = settings.get(i).replaceFirst("^NGIT_", "");
            int usual = all.indexOf(name);
            if (usual >= 0) {
                all.subList(usual, usual + 2).clear();
            }
        }
        all.addAll(settings);
        try {
            return Service.start(
                    RelayUnderTest.configuration(directory, all.toArray(String[]::new)),
                    StoreSamples.secretKey(OPERATOR),
                    new Build("0.0.0-test", "", "https://example.com/grapnel"),
                    GitRules.GRASP);
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
        try {
            if (reader == null) { // one for all questions: who calls again and again is turned away
                reader = connect();
            }
            return stored(reader, "all" + asked++);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Leaves out what came live for an earlier question, whose end was on its way.
    private static Set<EventId> stored(RelayClient client, String id) throws IOException {
        client.send("[\"REQ\",\"" + id + "\",{}]");
        var found = new TreeSet<EventId>();
        while (true) {
            switch (client.message()) {
                case RelayMessage.Delivery(var at, var event) -> {
                    if (at.text().equals(id)) {
                        found.add(event.id());
                    }
                }
                case RelayMessage.EndOfStored _ -> {
                    client.send("[\"CLOSE\",\"" + id + "\"]");
                    return found;
                }
                case RelayMessage other -> throw new AssertionError(other);
            }
        }
    }

    /// A page as a browser or a program gets it.
    String page(String path) {
        try (var client = PlainHttp.client()) {
            var request = HttpRequest.newBuilder(URI.create("http://" + domain() + path))
                    .header("Accept", "text/html, */*")
                    .build();
            return client.send(request, BodyHandlers.ofString()).body();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /// The sum of a metric over all its series that have these labels.
    ///
    /// @param labels each as the page writes it, quotes included
    long metric(String name, String... labels) {
        return page("/metrics")
                .lines()
                .filter(line -> line.startsWith(name + "{") || line.startsWith(name + " "))
                .filter(line -> Arrays.stream(labels).allMatch(line::contains))
                .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }

    SyncPicture picture() {
        return service.syncing().picture().orElseThrow();
    }

    Service service() {
        return service;
    }

    void stop() {
        reader = null;
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
