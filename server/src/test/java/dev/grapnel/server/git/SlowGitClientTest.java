package dev.grapnel.server.git;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.git.push.PushLimits;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Who sends or reads too slowly is told so, or cut off, and keeps nobody waiting (service 9).
final class SlowGitClientTest {
    private static final Duration IDLE = Duration.ofMillis(400);
    private static final Duration TOTAL = Duration.ofMillis(1500);
    private static final Duration PATIENT = Duration.ofMinutes(5);

    /// Five objects, of which one has begun: a blob of 2047 bytes.
    private static final String PACK = "PACK\0\0\0\2\0\0\0\5\u00bf\u007fx\1";

    @TempDir
    private Path directory;

    private GitClient git;
    private Path work;
    private String tip = "";

    @BeforeEach
    void prepare() throws IOException {
        git = new GitClient(Files.createDirectory(directory.resolve("home")));
        work = git.init("work");
        var noise = new byte[16 << 20];
        new Random(1).nextBytes(noise);
        Files.write(work.resolve("noise.bin"), noise);
        tip = git.commit(work, "a.txt", "a");
    }

    private GitSite site(Duration idle, Duration total) throws IOException {
        var config = new GitConfig(
                1,
                2,
                2,
                256L << 20,
                Duration.ofSeconds(30),
                16L << 20,
                PushLimits.DEFAULTS,
                total,
                1 << 20,
                Duration.ofMillis(300));
        return new GitSite(directory.resolve("site"), config, idle, _ -> false);
    }

    /// How requests begin, and what could follow for ever.
    record Slow(String service, String first, String drip, List<String> headers) {}

    static List<Slow> slow() {
        var have = "0032have " + "1".repeat(40) + "\n";
        var version2 = List.of("Git-Protocol: version=2");
        return List.of(
                new Slow("git-upload-pack", "", have, List.of()),
                new Slow("git-upload-pack", "0032want " + "1".repeat(40) + "\n0000", have, List.of()),
                new Slow("git-upload-pack", "0011command=fetch0001", have, version2),
                new Slow("git-upload-pack", "0014command=ls-refs\n0001", "0009peel\n", version2),
                new Slow(
                        "git-upload-pack",
                        "\u001f\u008b\b\0\0\0\0\0\0\0",
                        "\0\0\0\u00ff\u00ff",
                        List.of("Content-Encoding: gzip")),
                new Slow("git-receive-pack", "", "0034shallow " + "1".repeat(40), List.of()),
                new Slow("git-receive-pack", PACK, "\0\0\0\u00ff\u00ff", List.of()));
    }

    /// The commands know the tip, which is made for each test.
    private String firstOf(Slow slow) {
        var command = "0".repeat(40) + " " + tip + " refs/heads/new\0report-status\n";
        var length = HexFormat.of().toHexDigits((short) (command.length() + 4));
        return slow.first().equals(PACK) ? length + command + "0000" + PACK : slow.first();
    }

    @ParameterizedTest
    @MethodSource("slow")
    void whoStopsInTheMiddleIsToldSo(Slow slow) throws IOException {
        try (var site = site(IDLE, PATIENT);
                var socket = site.connect(0)) {
            GitSite.post(
                    socket,
                    "x/" + slow.service(),
                    1 << 20,
                    firstOf(slow),
                    slow.headers().toArray(String[]::new));
            long began = System.nanoTime();
            assertIsTold("nothing more came for a while", readAll(socket));
            assertTrue(System.nanoTime() - began < Duration.ofSeconds(20).toNanos());
            awaitBegun(site, 0);
        }
    }

    @ParameterizedTest
    @MethodSource("slow")
    void whoDripsIsToldSo(Slow slow) throws Exception {
        try (var site = site(PATIENT, TOTAL);
                var socket = site.connect(0)) {
            GitSite.post(
                    socket,
                    "x/" + slow.service(),
                    1 << 20,
                    firstOf(slow),
                    slow.headers().toArray(String[]::new));
            var dripping = Thread.ofVirtual().start(() -> drip(socket, slow.drip()));
            assertIsTold("the request takes too long", readAll(socket));
            awaitBegun(site, 0);
            socket.shutdownOutput();
            dripping.join();
        }
    }

    private static void drip(Socket socket, String drip) {
        var bytes = drip.getBytes(StandardCharsets.ISO_8859_1);
        try {
            for (int i = 0; ; i = (i + 1) % bytes.length) {
                socket.getOutputStream().write(bytes[i]);
                LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
            }
        } catch (IOException _) {
            // the server has had enough
        }
    }

    private static String readAll(Socket socket) throws IOException {
        var all = new StringBuilder();
        try {
            for (int next = socket.getInputStream().read();
                    next >= 0;
                    next = socket.getInputStream().read()) {
                all.append((char) next);
            }
        } catch (SocketException _) {
            // cut off, which is an answer, too
        }
        return all.toString();
    }

    private static void assertIsTold(String words, String answer) {
        assertTrue(answer.startsWith("HTTP/1.1 408"), answer);
        assertTrue(answer.contains("Git error: " + words), answer);
        assertTrue(answer.contains("Connection: close"), answer);
    }

    private static void awaitBegun(GitSite site, int count) {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (site.begun() != count) {
            assertTrue(System.nanoTime() < until, "as many as " + site.begun() + " have begun");
            LockSupport.parkNanos(Duration.ofMillis(2).toNanos());
        }
    }

    @Test
    void whoStopsReadingItsCloneIsCutOff() throws IOException {
        try (var site = site(IDLE, PATIENT)) {
            git.ok(work, "push", "--quiet", site.url("x"), "main");
            try (var first = site.connect(4096);
                    var second = site.connect(4096)) {
                var words = new ArrayDeque<>(List.of("ofs-delta", "side-band-64k"));
                for (var socket : List.of(first, second)) {
                    var want = "want " + tip + " " + words.remove() + "\n";
                    var body = HexFormat.of().toHexDigits((short) (want.length() + 4)) + want + "00000009done\n";
                    GitSite.post(socket, "x/git-upload-pack", body.length(), body);
                    assertEquals('H', socket.getInputStream().read()); // its answer has begun
                }
                awaitBegun(site, 0);
                assertTrue(readAll(first).length() < 16 << 20, "all of it came");
            }
        }
    }

    /// There are two rooms and one place.
    @Test
    void whereSlowClientsWereOthersAreServed() throws IOException {
        try (var site = site(IDLE, PATIENT)) {
            git.ok(work, "push", "--quiet", site.url("x"), "main");
            for (int i = 0; i < 2; i++) {
                GitSite.post(site.connect(0), "x/git-upload-pack", 1000, "0032want " + tip + "\n");
            }
            awaitBegun(site, 2);
            awaitBegun(site, 0);
            git.ok(directory, "clone", "--quiet", site.url("x"), "clone");
        }
    }
}
