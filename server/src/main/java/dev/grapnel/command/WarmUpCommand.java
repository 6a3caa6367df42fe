package dev.grapnel.command;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.event.EventDraft;
import dev.grapnel.nostr.key.SecretKey;
import dev.grapnel.server.GitRules;
import dev.grapnel.server.ops.Build;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/// `grapnel warm-up`, for the launcher: a short life of a server in a directory of its own, from which the
/// JVM learns what it will have to load.
@Command(name = "warm-up", hidden = true, description = "Teaches the JVM what a start needs; used by the launcher.")
final class WarmUpCommand implements Callable<Integer> {
    private static final String UPGRADE = """
            GET / HTTP/1.1
            Host: localhost
            Upgrade: websocket
            Connection: Upgrade
            Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==
            Sec-WebSocket-Version: 13

            """;
    private static final int ROUNDS = 50;
    private static final int PATIENCE_MILLIS = 10_000;

    private final Build build;

    WarmUpCommand(Build build) {
        this.build = build;
    }

    @Override
    public Integer call() throws IOException {
        var directory = Files.createTempDirectory("grapnel-warm-up");
        try {
            return live(directory);
        } finally {
            delete(directory);
        }
    }

    private int live(Path directory) {
        var nowhere = OutputStream.nullOutputStream();
        var invocation = new Invocation(InputStream.nullInputStream(), nowhere, true, false, Map.of());
        var err = new PrintWriter(nowhere, true, StandardCharsets.UTF_8);
        var flags = List.of(
                "--bind-address=127.0.0.1:0",
                "--relay-data-path=" + directory.resolve("relay"),
                "--git-data-path=" + directory.resolve("git"));
        return new Serve(invocation, build, GitRules.GRASP, directory, nowhere, err)
                .run(flags, (service, _) -> use(service.port()));
    }

    private static void use(int port) {
        try {
            ask(port, "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
            ask(
                    port,
                    "GET / HTTP/1.1\r\nHost: localhost\r\nAccept: application/nostr+json\r\nConnection: close\r\n\r\n");
            talk(port, SecretKey.parse("%064x".formatted(1)).require());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void ask(int port, String request) throws IOException {
        try (var socket = connect(port)) {
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            socket.getInputStream().readAllBytes();
        }
    }

    /// Publishes and asks, again and again, then closes; reads until the server has closed too.
    private static void talk(int port, SecretKey key) throws IOException {
        try (var socket = connect(port)) {
            var out = new ByteArrayOutputStream();
            out.writeBytes(UPGRADE.replace("\n", "\r\n").getBytes(StandardCharsets.US_ASCII));
            long now = Instant.now().getEpochSecond();
            for (int i = 0; i < ROUNDS; i++) {
                var event = new EventDraft(now, 1, List.of(List.of("t", "warm-up")), "event " + i)
                        .sign(key, Bytes.wrap(new byte[32]));
                write(out, 1, "[\"EVENT\"," + event + "]");
                write(out, 1, "[\"REQ\",\"s" + i + "\",{\"#t\":[\"warm-up\"],\"limit\":10}]");
            }
            write(out, 8, "");
            socket.getOutputStream().write(out.toByteArray());
            new BufferedInputStream(socket.getInputStream()).readAllBytes();
        }
    }

    private static Socket connect(int port) throws IOException {
        var socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(PATIENCE_MILLIS);
        return socket;
    }

    /// A frame whose mask is zero, so that nothing has to be changed.
    private static void write(ByteArrayOutputStream out, int opcode, String text) {
        var payload = text.getBytes(StandardCharsets.UTF_8);
        out.write(0x80 | opcode);
        if (payload.length < 126) {
            out.write(0x80 | payload.length);
        } else {
            out.write(0x80 | 126);
            out.write(payload.length >> 8);
            out.write(payload.length);
        }
        out.writeBytes(new byte[4]);
        out.writeBytes(payload);
    }

    private static void delete(Path directory) throws IOException {
        try (var files = Files.walk(directory)) {
            for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
