package dev.grapnel.server.git;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.outbound.PlainHttp;
import dev.grapnel.server.GitUnderTest;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What happens when somebody asks for more than there is (service 9).
final class GitLimitsTest {
    private static final int ALL_THE_ROOM = 256;
    private static final int PATIENCE_MILLIS = 20;

    @TempDir
    private Path directory;

    private GitClient git;
    private Path work;

    @BeforeEach
    void prepare() throws IOException {
        git = new GitClient(Files.createDirectory(directory.resolve("home")));
        work = git.init("work");
        var noise = new byte[8 << 20];
        new Random(1).nextBytes(noise);
        Files.write(work.resolve("noise.bin"), noise);
        git.commit(work, "a.txt", "a");
    }

    @Test
    void clientsThatDoNotReadKeepNobodyWaiting() throws IOException {
        try (var server = GitUnderTest.start(directory.resolve("server"), "PACK_CONCURRENCY", "1")) {
            git.ok(work, "push", "--quiet", server.url("x"), "main");
            var tip = git.ok(work, "rev-parse", "HEAD").strip();
            var stuck = new ArrayList<Socket>();
            for (int i = 0; i < 4; i++) {
                stuck.add(askAndDoNotRead(server, tip));
            }
            git.ok(
                    directory,
                    "clone",
                    "--quiet",
                    server.url("x"),
                    directory.resolve("clone").toString());
            git.commit(work, "b.txt", "b");
            git.ok(work, "push", "--quiet", server.url("x"), "main");
            for (var socket : stuck) {
                socket.close();
            }
        }
    }

    /// A clone whose pack is larger than what the system takes for a client that reads nothing.
    private static Socket askAndDoNotRead(GitUnderTest server, String tip) throws IOException {
        var socket = new Socket();
        socket.setReceiveBufferSize(4096);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()));
        var body = "003ewant " + tip + " ofs-delta\n00000009done\n";
        var head = "POST " + URI.create(server.url("x")).getPath()
                + "/git-upload-pack HTTP/1.1\r\nHost: x\r\nContent-Length: " + body.length() + "\r\n\r\n";
        socket.getOutputStream().write((head + body).getBytes(StandardCharsets.US_ASCII));
        assertEquals('H', socket.getInputStream().read()); // its answer has begun
        return socket;
    }

    @Test
    void whoAsksTooOftenIsToldWhenToComeAgain() throws Exception {
        try (var server = GitUnderTest.start(directory.resolve("server"), "GIT_REQUESTS_PER_MINUTE_PER_IP", "3")) {
            git.ok(work, "push", "--quiet", server.url("x"), "main");
            for (int i = 0; i < 3; i++) {
                assertEquals(200, ask(server, "203.0.113.7").statusCode());
            }
            var refused = ask(server, "203.0.113.7");
            assertEquals(429, refused.statusCode());
            long wait = refused.headers().firstValueAsLong("Retry-After").orElseThrow();
            assertTrue(wait >= 1 && wait <= 20, "Retry-After " + wait);
            assertEquals(200, ask(server, "203.0.113.8").statusCode());
            assertEquals(200, ask(server, "127.0.0.1").statusCode());
        }
    }

    private static HttpResponse<String> ask(GitUnderTest server, String from) throws Exception {
        return PlainHttp.client()
                .send(
                        HttpRequest.newBuilder(server.endpoint("x", "info/refs?service=git-upload-pack"))
                                .header("X-Forwarded-For", from)
                                .build(),
                        BodyHandlers.ofString());
    }

    @Test
    void largePushIsRefusedWithItsLimit() {
        try (var server = GitUnderTest.start(directory.resolve("server"), "MAX_PUSH_BYTES", "1000000")) {
            var said = git.run(work, "push", server.url("x"), "main").orSucceed();
            assertTrue(said.contains("pack exceeds maximum size"), said);
        }
    }

    @Test
    void manyObjectsAndLargeObjectsAreRefused() {
        try (var server = GitUnderTest.start(directory.resolve("server"), "MAX_PACK_OBJECTS", "2")) {
            var said = git.run(work, "push", server.url("x"), "main").orSucceed();
            assertTrue(said.contains("objects"), said);
        }
        try (var server = GitUnderTest.start(directory.resolve("server"), "MAX_OBJECT_BYTES", "1000000")) {
            var said = git.run(work, "push", server.url("x"), "main").orSucceed();
            assertTrue(said.contains("1000000"), said);
        }
    }

    @Test
    void fullDiskTakesNoPushesAndServesWhatIsThere() throws IOException {
        try (var server = GitUnderTest.start(directory.resolve("server"))) {
            git.ok(work, "push", "--quiet", server.url("x"), "main");
        }
        git.commit(work, "b.txt", "b");
        try (var server =
                GitUnderTest.start(directory.resolve("server"), "MIN_FREE_DISK_BYTES", "1" + "0".repeat(17))) {
            var said = git.run(work, "push", server.url("x"), "main").orSucceed();
            assertTrue(said.contains("! [remote rejected] main -> main (error: low on disk space)"), said);
            git.ok(
                    directory,
                    "clone",
                    "--quiet",
                    server.url("x"),
                    directory.resolve("clone").toString());
        }
    }

    @Test
    void oneAddressCannotTakeAllTheRoom() throws Exception {
        try (var server = GitUnderTest.start(directory.resolve("server"))) {
            git.ok(work, "push", "--quiet", server.url("x"), "main");
            var stuck = new ArrayList<Socket>();
            var refused = askUntilRefused(server, "203.0.113.7", stuck);
            assertTrue(refused.startsWith("HTTP/1.1 429"), refused);
            assertTrue(refused.contains("Retry-After: 10"), refused);
            assertTrue(refused.contains("your address has too many requests at once"), refused);
            try (var other = push(server, "203.0.113.8")) {
                other.getOutputStream().write("0000".getBytes(StandardCharsets.US_ASCII));
                assertTrue(read(other).startsWith("HTTP/1.1 200"));
            }
            for (var socket : stuck) {
                socket.close();
            }
        }
    }

    /// Begins to push again and again, and sends nothing.
    private static String askUntilRefused(GitUnderTest server, String from, Collection<Socket> stuck)
            throws IOException {
        for (int i = 0; i < ALL_THE_ROOM; i++) {
            var socket = push(server, from);
            socket.setSoTimeout(PATIENCE_MILLIS);
            stuck.add(socket);
            try {
                return read(socket);
            } catch (SocketTimeoutException _) {
                // it is being waited for
            }
        }
        return "nothing";
    }

    private static Socket push(GitUnderTest server, String from) throws IOException {
        var socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
        var head = "POST " + URI.create(server.url("x")).getPath()
                + "/git-receive-pack HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 4\r\nX-Forwarded-For: "
                + from + "\r\n\r\n";
        socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    private static String read(Socket socket) throws IOException {
        return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    }
}
