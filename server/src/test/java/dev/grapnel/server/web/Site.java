package dev.grapnel.server.web;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.grapnel.config.BindAddress;
import dev.grapnel.config.ConfigReader;
import dev.grapnel.config.ConfigReader.Outcome;
import dev.grapnel.config.ConfigSources;
import dev.grapnel.config.Configuration;
import dev.grapnel.config.ServiceSettings;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.nostr.url.ServiceAddress;
import dev.grapnel.server.ops.Build;
import dev.grapnel.server.ops.Metrics;
import dev.grapnel.server.ops.Readiness;
import dev.grapnel.server.ops.SyncView;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.eclipse.jetty.util.Callback;

/// A port with everything behind it, and a client that sends bytes as they are.
final class Site implements AutoCloseable {
    static final PublicKey OPERATOR = PublicKey.parse(
                    "f9308a019258c31049344f85f89d5229b531c845836f99b08601f113bce036f9")
            .require();
    static final Build BUILD = new Build("1.2.3", "abc1234", "https://grapnel.example");

    final Readiness readiness = new Readiness();
    final Metrics metrics = new Metrics(BUILD, System::nanoTime, Path.of("/"));
    final HttpPort port;

    Site(Map<String, String> variables, HttpPort.Limits limits, RelayDoor door) throws IOException {
        this(variables, limits, door, SyncView.OFF);
    }

    Site(Map<String, String> variables, SyncView sync) throws IOException {
        this(variables, HttpPort.Limits.DEFAULTS, Site::refuse, sync);
    }

    private Site(Map<String, String> variables, HttpPort.Limits limits, RelayDoor door, SyncView sync)
            throws IOException {
        var configuration = configuration(variables);
        var surface = new HttpSurface(
                configuration,
                identity(configuration),
                Features.RELAY_ONLY,
                readiness,
                metrics,
                door,
                new Hosts(),
                // a header, so that a client may come from anywhere
                request -> InetAddress.ofLiteral(
                        Objects.requireNonNullElse(request.getHeaders().get("Test-Address"), "127.0.0.1")),
                request -> "https".equals(request.getHeaders().get("Test-Scheme")),
                sync);
        port = new HttpPort(new BindAddress(InetAddress.getLoopbackAddress(), 0), limits, System::nanoTime);
        port.open();
        port.serve(surface);
        readiness.end(Readiness.Reason.STARTING);
    }

    Site(Map<String, String> variables) throws IOException {
        this(variables, HttpPort.Limits.DEFAULTS, Site::refuse);
    }

    Site() throws IOException {
        this(Map.of());
    }

    private static void refuse(
            org.eclipse.jetty.server.Request request, org.eclipse.jetty.server.Response response, Callback callback) {
        new Reply(426, "text/plain", "door".getBytes(StandardCharsets.US_ASCII)).send(request, response, callback);
    }

    /// A git host with repositories that are called `hosted`.
    private static final class Hosts implements GitDoor {
        @Override
        public void serve(
                RepositoryAddress repository,
                List<String> subpath,
                org.eclipse.jetty.server.Request request,
                org.eclipse.jetty.server.Response response,
                Callback callback) {
            var words = repository.identifier() + " " + String.join("/", subpath);
            new Reply(200, "text/plain", words.getBytes(StandardCharsets.UTF_8)).send(request, response, callback);
        }

        @Override
        public boolean isHosted(RepositoryAddress repository) {
            return repository.identifier().text().startsWith("hosted");
        }
    }

    static Configuration configuration(Map<String, String> variables) {
        var all = new HashMap<String, String>();
        variables.forEach((name, value) -> all.put("GRAPNEL_" + name, value));
        var outcome = ConfigReader.read(new ConfigSources(Map.of(), all, Map.of(), ".env"));
        return assertInstanceOf(Outcome.Good.class, outcome, outcome.toString()).configuration();
    }

    static ServiceIdentity identity(Configuration configuration) {
        var address = ServiceAddress.parse(
                        configuration.find(ServiceSettings.DOMAIN).orElse("git.example.com"),
                        configuration.require(ServiceSettings.BASE_PATH))
                .require();
        return new ServiceIdentity(address, OPERATOR, BUILD);
    }

    Socket connect() throws IOException {
        var socket = new Socket(InetAddress.getLoopbackAddress(), port.port());
        socket.setSoTimeout(30_000);
        return socket;
    }

    static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
        socket.getOutputStream().flush();
    }

    /// Sends lines with an empty one at the end and reads the answer.
    Answer raw(String... lines) throws IOException {
        try (var socket = connect()) {
            send(socket, String.join("\r\n", lines) + "\r\n\r\n");
            return Answer.read(socket.getInputStream(), lines[0].startsWith("HEAD "));
        }
    }

    /// A request that is well-formed but for what the caller adds.
    Answer ask(String method, String path, String... headers) throws IOException {
        var lines = new String[headers.length + 2];
        lines[0] = method + " " + path + " HTTP/1.1";
        lines[1] = "Host: git.example.com";
        System.arraycopy(headers, 0, lines, 2, headers.length);
        return raw(lines);
    }

    @Override
    public void close() {
        port.close();
        metrics.close();
    }
}
