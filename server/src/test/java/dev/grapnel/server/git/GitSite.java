package dev.grapnel.server.git;

import dev.grapnel.config.BindAddress;
import dev.grapnel.git.FreeSpace;
import dev.grapnel.git.Hosting;
import dev.grapnel.git.push.PushPolicy;
import dev.grapnel.git.push.RefMoves;
import dev.grapnel.git.repository.Repositories;
import dev.grapnel.git.repository.RepositoriesConfig;
import dev.grapnel.git.wire.KeepAlive;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.RefName;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.server.address.AddressLimits;
import dev.grapnel.server.address.ClientAddress;
import dev.grapnel.server.address.Rate;
import dev.grapnel.server.address.RequestRates;
import dev.grapnel.server.ops.Build;
import dev.grapnel.server.ops.Metrics;
import dev.grapnel.server.web.HttpPort;
import dev.grapnel.store.StoreSamples;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/// Git alone on a real port, with limits and hidden refs of the test's: repositories are at `/<name>`, and
/// anybody may push.
final class GitSite implements AutoCloseable {
    private final Repositories repositories;
    private final GitEndpoints endpoints;
    private final HttpPort port;

    /// @param idle how long a client may be silent
    /// @param hidden refs that nobody may see
    GitSite(Path directory, GitConfig config, Duration idle, Predicate<RefName> hidden) throws IOException {
        repositories = Repositories.open(directory, RepositoriesConfig.defaults(), InstantSource.system());
        var build = new Build("0.0.0-test", "", "https://example.com/grapnel");
        endpoints = new GitEndpoints(
                repositories,
                new Everything(new Hosting.Hosted((name, _) -> hidden.test(name), false)),
                PushPolicy.anything(),
                config,
                "grapnel/test",
                new GitEndpoints.Addresses(
                        _ -> new ClientAddress(InetAddress.getLoopbackAddress()),
                        _ -> false,
                        new RequestRates(Rate.perMinute(1000, 1000), AddressLimits.DEFAULTS, System::nanoTime),
                        AddressLimits.DEFAULTS),
                new Metrics(build, System::nanoTime, Path.of("/")).git(),
                KeepAlive.defaults(System::nanoTime),
                RefMoves.UNNOTICED,
                new RepositoryUses(RepositoryUses.Files.UNOPENED),
                FreeSpace.of(directory, 0),
                System::nanoTime);
        port = new HttpPort(
                new BindAddress(InetAddress.getLoopbackAddress(), 0),
                new HttpPort.Limits(Duration.ofSeconds(10), idle, 1000, 100),
                System::nanoTime);
        port.open();
        port.serve(new Handler.Abstract() {
            @Override
            public boolean handle(Request request, Response response, Callback callback) {
                var steps = List.of(request.getHttpURI().getPath().split("/", -1));
                endpoints.serve(address(steps.get(1)), steps.subList(2, steps.size()), request, response, callback);
                return true;
            }
        });
    }

    private static RepositoryAddress address(String name) {
        return new RepositoryAddress(StoreSamples.author(1), new Identifier(name));
    }

    /// Whatever is asked for is there.
    private record Everything(Hosted hosted) implements Hosting {
        @Override
        public Optional<Hosted> find(RepositoryAddress address) {
            return Optional.of(hosted);
        }

        @Override
        public Collection<RepositoryAddress> named(Identifier identifier) {
            return List.of();
        }

        @Override
        public int count() {
            return 1;
        }
    }

    String url(String name) {
        return "http://127.0.0.1:" + port.port() + "/" + name;
    }

    /// Requests that keep something.
    int begun() {
        return endpoints.begun();
    }

    /// A client of which only the bytes are known that it sends.
    ///
    /// @param receives how much its system takes before it reads, or 0 for as much as usual
    Socket connect(int receives) throws IOException {
        var socket = new Socket();
        if (receives > 0) {
            socket.setReceiveBufferSize(receives);
        }
        socket.setSoTimeout((int) Duration.ofMinutes(1).toMillis());
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port.port()));
        return socket;
    }

    /// A request with so many bytes of body, of which only the first are sent.
    static void post(Socket socket, String path, long length, String first, String... headers) throws IOException {
        var head = new StringBuilder("POST /" + path + " HTTP/1.1\r\nHost: x\r\nContent-Length: " + length + "\r\n");
        Arrays.stream(headers).forEach(header -> head.append(header).append("\r\n"));
        socket.getOutputStream().write((head + "\r\n" + first).getBytes(StandardCharsets.ISO_8859_1));
    }

    @Override
    public void close() throws IOException {
        port.close();
        endpoints.close();
        repositories.close();
    }
}
