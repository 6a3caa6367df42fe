package dev.grapnel.outbound.http;

import static dev.grapnel.outbound.Outside.LIMITS;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.outbound.Cancellation;
import dev.grapnel.outbound.CertificateAuthority;
import dev.grapnel.outbound.Failure;
import dev.grapnel.outbound.OutboundException;
import dev.grapnel.outbound.Outside;
import dev.grapnel.outbound.RawServer;
import dev.grapnel.outbound.Urls;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class ClientTest {
    private static final String ADVERTISEMENT = "/info/refs?service=git-upload-pack";
    private static final long PLENTY = 64L << 20;

    private final Outside outside = new Outside();

    @AfterEach
    void nothingIsLeft() {
        assertEquals(0, outside.slots.inUse());
        outside.close();
    }

    /// P-812, row 167: what is sent is all of it.
    @Test
    void requestSaysWhatIsWantedAndWhoAsksAndNothingElse() throws IOException {
        var head = new CompletableFuture<String>();
        try (var server = RawServer.open(peer -> {
            head.complete(RawServer.readHead(peer.getInputStream()));
            peer.getOutputStream().write(RawServer.ok("x").getBytes(StandardCharsets.US_ASCII));
        })) {
            var request = Request.get(Outside.url(server), ADVERTISEMENT, LIMITS, PLENTY)
                    .with("Git-Protocol", "version=2");
            outside.client.ask(request, new Cancellation()).close();
            assertEquals("""
                    GET /a/b.git/info/refs?service=git-upload-pack HTTP/1.1\r
                    Host: host.example:%d\r
                    User-Agent: Grapnel/1.2.3 (git.example.com)\r
                    Accept-Encoding: identity\r
                    Connection: close\r
                    Git-Protocol: version=2\r
                    \r
                    """.formatted(server.port()), head.join());
        }
    }

    @Test
    void bodyEndsByLengthByChunksOrByTheConnection() throws IOException {
        assertEquals("hello", ask("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello, more"));
        assertEquals(
                "hello world",
                ask("HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n5;x=y\r\nhello\r\n006\r\n world\r\n"
                        + "0\r\nTrailer: x\r\n\r\nmore"));
        assertEquals("hello", ask("HTTP/1.0 200 OK\nServer: x\n\nhello"));
        assertEquals("", ask("HTTP/1.1 204 No Content\r\n\r\n"));
        assertEquals("", ask(RawServer.ok("")));
        assertEquals("x", ask("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Hints\r\nA: b\r\n\r\n" + RawServer.ok("x")));
    }

    @Test
    void compressedBodyIsInflated() throws IOException {
        var text = "0123456789".repeat(50_000);
        var answer = new ByteArrayOutputStream();
        var packed = gzip(text.getBytes(StandardCharsets.US_ASCII));
        answer.writeBytes(("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: " + packed.length + "\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII));
        answer.writeBytes(packed);
        var seen = new CompletableFuture<String>();
        try (var server = RawServer.open(peer -> {
            seen.complete(RawServer.readHead(peer.getInputStream()));
            peer.getOutputStream().write(answer.toByteArray());
        })) {
            var request = Request.get(Outside.url(server), ADVERTISEMENT, LIMITS, PLENTY)
                    .acceptingGzip();
            try (var got = outside.client.ask(request, new Cancellation())) {
                assertEquals(text, text(got.body()));
                assertTrue(got.bytesReceived() < 10_000);
            }
            assertTrue(seen.join().contains("\r\nAccept-Encoding: gzip\r\n"));
        }
    }

    @Test
    void statusIsAnAnswerAndNoFailure() throws IOException {
        for (int status : new int[] {200, 304, 401, 404, 429, 500, 503}) {
            try (var server = RawServer.open(RawServer.answering(
                            "HTTP/1.1 " + status + " x\r\nretry-after: 7\r\nContent-Length: 99999999999\r\n\r\n"));
                    var answer = outside.client.ask(get(server), new Cancellation())) {
                assertEquals(status, answer.status());
                assertEquals(Optional.of("7"), answer.findHeader("Retry-After"));
                assertEquals(Optional.empty(), answer.findHeader("Location"));
                assertEquals(Outside.url(server), answer.base());
            }
        }
    }

    @Test
    void bodyOfKnownLengthIsSentAsItIs() throws IOException {
        var got = post(Body.of("0000want".getBytes(StandardCharsets.US_ASCII)), 8);
        assertTrue(got.contains("\r\nContent-Length: 8\r\n"), got);
        assertTrue(got.endsWith("\r\n\r\n0000want"), got);
    }

    @Test
    void bodyOfUnknownLengthIsSentInChunks() throws IOException {
        var bytes = new byte[100_000];
        new Random(9).nextBytes(bytes);
        var got = new CompletableFuture<byte[]>();
        try (var server = RawServer.open(peer -> {
            var in = peer.getInputStream();
            assertTrue(RawServer.readHead(in).contains("\r\nTransfer-Encoding: chunked\r\n"));
            got.complete(new FramedInput(in, new Head.Framing.Chunks()).readAllBytes());
            peer.getOutputStream().write(RawServer.ok("done").getBytes(StandardCharsets.US_ASCII));
        })) {
            var body = new Body.Chunked(out -> {
                out.write(bytes[0]);
                out.write(bytes, 1, 5);
                out.write(bytes, 6, bytes.length - 6);
            });
            var request = Request.post(Outside.url(server), "/git-upload-pack", body, LIMITS, PLENTY);
            try (var answer = outside.client.ask(request, new Cancellation())) {
                assertEquals("done", text(answer.body()));
                assertTrue(answer.bytesSent() > bytes.length);
            }
            assertArrayEquals(bytes, got.join());
        }
    }

    @Test
    void bodyOfAnotherLengthThanPromisedIsOurMistake() throws IOException {
        try (var server = RawServer.open(peer -> peer.getInputStream().readAllBytes())) {
            for (int length : new int[] {4, 6}) {
                var body = new Body.Sized(length, out -> out.write(new byte[5]));
                var request = Request.post(Outside.url(server), "/x", body, LIMITS, PLENTY);
                assertThrows(IllegalStateException.class, () -> outside.client.ask(request, new Cancellation()));
            }
        }
    }

    @Test
    void failureOfTheCallersOwnBodyIsPassedOn() throws IOException {
        try (var server = RawServer.open(peer -> peer.getInputStream().readAllBytes())) {
            var mine = new IOException("disk");
            var body = new Body.Chunked(_ -> {
                throw mine;
            });
            var request = Request.post(Outside.url(server), "/x", body, LIMITS, PLENTY);
            assertEquals(mine, assertThrows(IOException.class, () -> outside.client.ask(request, new Cancellation())));
        }
    }

    @Test
    void largeAnswersStreamThroughTls() throws IOException {
        var authority = new CertificateAuthority();
        var bytes = new byte[3 << 20];
        new Random(7).nextBytes(bytes);
        try (var secure = new Outside(authority.trusting());
                var server = RawServer.open(authority.serving(Outside.HOST), peer -> {
                    RawServer.readHead(peer.getInputStream());
                    var out = peer.getOutputStream();
                    out.write(("HTTP/1.1 200 OK\r\nContent-Length: " + bytes.length + "\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
                    out.write(bytes);
                })) {
            var request = Request.get(Outside.secureUrl(server), "", LIMITS, PLENTY);
            try (var answer = secure.client.ask(request, new Cancellation())) {
                assertArrayEquals(bytes, answer.body().readAllBytes());
            }
        }
    }

    /// Row 167.
    @Test
    void credentialsAndCookiesCannotBeSent() {
        for (var name : new String[] {"Authorization", "cookie", "Proxy-Authorization", "Host", "Content-Length"}) {
            assertThrows(
                    IllegalArgumentException.class,
                    () -> Request.get(Urls.git("https://h.example/x"), "", LIMITS, 1)
                            .with(name, "x"));
        }
        assertThrows(IllegalArgumentException.class, () -> new Header("X", "a\r\nCookie: b"));
    }

    /// Row 167: a server that wants to know more gets nothing, and nobody is prompted.
    @Test
    void questionForCredentialsIsLeftUnanswered() throws IOException {
        try (var server = RawServer.open(
                RawServer.answering(
                        "HTTP/1.1 401 Who?\r\nWWW-Authenticate: Basic realm=x\r\nSet-Cookie: a=b\r\nContent-Length: 0\r\n\r\n"))) {
            for (int i = 0; i < 2; i++) {
                try (var answer = outside.client.ask(get(server), new Cancellation())) {
                    assertEquals(401, answer.status());
                }
            }
            assertEquals(2, server.accepted());
        }
    }

    /// Row 167: the properties the JDK's own client and sockets obey.
    @Test
    void proxiesOfTheSurroundingsAreNotUsed() throws IOException {
        try (var proxy = RawServer.open(_ -> {})) {
            for (var prefix : new String[] {"socks", "http.", "https."}) {
                System.setProperty(prefix + (prefix.equals("socks") ? "ProxyHost" : "proxyHost"), "127.0.0.1");
                System.setProperty(prefix + (prefix.equals("socks") ? "ProxyPort" : "proxyPort"), "" + proxy.port());
            }
            System.setProperty("http.nonProxyHosts", "");
            System.setProperty("socksNonProxyHosts", "");
            try {
                assertEquals("x", ask(RawServer.ok("x")));
                assertEquals(0, proxy.accepted());
            } finally {
                for (var name : new String[] {
                    "socksProxyHost",
                    "socksProxyPort",
                    "http.proxyHost",
                    "http.proxyPort",
                    "https.proxyHost",
                    "https.proxyPort",
                    "http.nonProxyHosts",
                    "socksNonProxyHosts"
                }) {
                    System.clearProperty(name);
                }
            }
        }
    }

    /// Row 160: refused before anything is looked up or connected to.
    @Test
    void ourselvesAreNotAsked() {
        var request = Request.get(Urls.git("https://git.example.com/x"), "", LIMITS, 1);
        var e = assertThrows(OutboundException.class, () -> outside.client.ask(request, new Cancellation()));
        assertTrue(e.failure() instanceof Failure.Policy);
        assertEquals(List.of(), outside.names.asked());
    }

    private static Request get(RawServer server) {
        return Request.get(Outside.url(server), ADVERTISEMENT, LIMITS, PLENTY);
    }

    private String ask(String answer) throws IOException {
        try (var server = RawServer.open(RawServer.answering(answer));
                var got = outside.client.ask(get(server), new Cancellation())) {
            return text(got.body());
        }
    }

    private String post(Body body, int length) throws IOException {
        var seen = new CompletableFuture<String>();
        try (var server = RawServer.open(peer -> {
            var in = peer.getInputStream();
            seen.complete(RawServer.readHead(in) + new String(in.readNBytes(length), StandardCharsets.US_ASCII));
            peer.getOutputStream().write(RawServer.ok("done").getBytes(StandardCharsets.US_ASCII));
        })) {
            var request = Request.post(Outside.url(server), "/git-upload-pack", body, LIMITS, PLENTY);
            try (var answer = outside.client.ask(request, new Cancellation())) {
                assertEquals("done", text(answer.body()));
            }
            return seen.join();
        }
    }

    private static String text(InputStream in) throws IOException {
        return new String(in.readAllBytes(), StandardCharsets.US_ASCII);
    }

    private static byte[] gzip(byte[] bytes) throws IOException {
        var out = new ByteArrayOutputStream();
        try (var zip = new GZIPOutputStream(out)) {
            zip.write(bytes);
        }
        return out.toByteArray();
    }
}
