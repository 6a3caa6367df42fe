package dev.grapnel.server.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.config.BindAddress;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.AbstractConnection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.HttpStream;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The port itself: versions of HTTP, slow and many connections, beginning and end.
@Timeout(60)
final class HttpPortTest {
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final HttpPort.Limits IMPATIENT = new HttpPort.Limits(Duration.ofMillis(300), LONG, 100, 100);
    private static final String HEALTH = "GET /health HTTP/1.1\r\nHost: x\r\n\r\n";
    private static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

    private static Site site(HttpPort.Limits limits) throws IOException {
        return new Site(Map.of(), limits, HttpPortTest::becomeSilent);
    }

    /// Turns the connection into one that speaks nothing.
    private static void becomeSilent(Request request, Response response, Callback callback) {
        var metaData = request.getConnectionMetaData();
        request.setAttribute(
                HttpStream.UPGRADE_CONNECTION_ATTRIBUTE,
                new Silence(
                        metaData.getConnection().getEndPoint(),
                        metaData.getConnector().getExecutor()));
        response.setStatus(101);
        response.getHeaders().put(HttpHeader.UPGRADE, "websocket").put(HttpHeader.CONNECTION, "Upgrade");
        callback.succeeded();
    }

    private static final class Silence extends AbstractConnection {
        Silence(EndPoint endPoint, java.util.concurrent.Executor executor) {
            super(endPoint, executor);
        }

        @Override
        public void onFillable() {
            getEndPoint().close();
        }
    }

    private static void assertHealthy(Socket socket) throws IOException {
        Site.send(socket, HEALTH);
        assertEquals("ok", Answer.read(socket.getInputStream(), false).body());
    }

    private static void assertCut(Socket socket) throws IOException {
        var answer = Answer.read(socket.getInputStream(), false);
        assertEquals(408, answer.status());
        assertEquals("close", answer.find("Connection").orElseThrow());
        assertEquals("*", answer.find("Access-Control-Allow-Origin").orElseThrow());
        assertEquals("grapnel", answer.find("Server").orElseThrow());
        assertEquals(1, answer.all("Date").size());
        assertEnded(socket);
    }

    private static void assertEnded(Socket socket) throws IOException {
        try {
            assertEquals(-1, socket.getInputStream().read());
        } catch (SocketException _) {
            // reset, because we had sent something that nobody will read
        }
    }

    @Test
    void connectionIsKeptForMoreRequests() throws IOException {
        try (var site = site(HttpPort.Limits.DEFAULTS);
                var socket = site.connect()) {
            assertHealthy(socket);
            assertHealthy(socket);
            assertEquals(1, site.port.connections());
        }
    }

    @Test
    void silenceInsteadOfAHeadIsCut() throws IOException {
        try (var site = site(IMPATIENT);
                var socket = site.connect()) {
            assertCut(socket);
        }
    }

    @Test
    void headThatTricklesIsCut() throws IOException, InterruptedException {
        try (var site = site(IMPATIENT);
                var socket = site.connect()) {
            var trickle = Thread.ofVirtual()
                    .start(() -> trickle(socket, "GET / HTTP/1.1\r\nA: ".getBytes(StandardCharsets.US_ASCII)));
            assertCut(socket);
            trickle.join();
        }
    }

    @Test
    void nextHeadThatTricklesIsCutToo() throws IOException, InterruptedException {
        try (var site = site(IMPATIENT);
                var socket = site.connect()) {
            assertHealthy(socket);
            var trickle = Thread.ofVirtual()
                    .start(() -> trickle(socket, "GET / HTTP/1.1\r\nA: ".getBytes(StandardCharsets.US_ASCII)));
            assertCut(socket);
            trickle.join();
        }
    }

    /// Sends the last byte again and again until nobody takes it.
    private static void trickle(Socket socket, byte[] bytes) {
        try {
            for (int i = 0; ; i++) {
                socket.getOutputStream().write(bytes[Math.min(i, bytes.length - 1)]);
                TimeUnit.MILLISECONDS.sleep(10);
            }
        } catch (IOException | InterruptedException _) {
            // what we waited for
        }
    }

    @Test
    void headThatStopsHalfwayOnAKeptConnectionIsCut() throws IOException {
        try (var site = site(IMPATIENT);
                var socket = site.connect()) {
            assertHealthy(socket);
            Site.send(socket, "GET /hea");
            assertCut(socket);
        }
    }

    @Test
    void waitingForTheNextRequestIsNotCut() throws IOException {
        try (var site = site(IMPATIENT);
                var patient = site.connect()) {
            assertHealthy(patient);
            try (var silent = site.connect()) {
                assertCut(silent);
            }
            assertHealthy(patient);
        }
    }

    @Test
    void whatBecameAWebSocketIsNeitherCutNorCounted() throws IOException {
        try (var site = site(IMPATIENT);
                var upgraded = site.connect()) {
            Site.send(upgraded, "GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n");
            var answer = Answer.read(upgraded.getInputStream(), true);
            assertEquals(101, answer.status());
            assertEquals("*", answer.find("Access-Control-Allow-Origin").orElseThrow());
            try (var silent = site.connect()) {
                assertCut(silent);
            }
            awaitConnections(site, 0);
            upgraded.setSoTimeout(50);
            assertThrows(
                    java.net.SocketTimeoutException.class,
                    () -> upgraded.getInputStream().read());
        }
    }

    @Test
    void idleConnectionIsClosed() throws IOException {
        var limits = new HttpPort.Limits(LONG, Duration.ofMillis(300), 100, 100);
        try (var site = site(limits);
                var socket = site.connect()) {
            assertHealthy(socket);
            assertEnded(socket);
        }
    }

    @Test
    void connectionsBeyondTheBoundAreClosedAtOnce() throws IOException {
        try (var site = site(new HttpPort.Limits(LONG, LONG, 2, 2));
                var first = site.connect()) {
            assertHealthy(first);
            try (var second = site.connect()) {
                assertHealthy(second);
                try (var third = site.connect()) {
                    assertEnded(third);
                }
                assertHealthy(first);
            }
            awaitConnections(site, 1);
            try (var fourth = site.connect()) {
                assertHealthy(fourth);
            }
        }
    }

    private static void awaitConnections(Site site, int count) {
        while (site.port.connections() != count) {
            Thread.onSpinWait();
        }
    }

    @Test
    void afterTheDoorIsShutThoseInsideGoOn() throws IOException {
        try (var site = site(HttpPort.Limits.DEFAULTS);
                var inside = site.connect()) {
            assertHealthy(inside);
            int port = site.port.port();
            site.port.stopAccepting();
            awaitRefusal(port);
            assertHealthy(inside);
        }
    }

    /// The system keeps a listening socket until the thread that waits for connections has noticed; until then some
    /// are let in.
    private static void awaitRefusal(int port) throws IOException {
        while (true) {
            try {
                new Socket(InetAddress.getLoopbackAddress(), port).close();
            } catch (ConnectException _) {
                return; // which is what is waited for
            } catch (SocketException _) {
                // one that stood in the queue when the socket was closed is reset; the next one is refused
            }
        }
    }

    @Test
    void closingEndsEverything() throws IOException {
        var site = site(HttpPort.Limits.DEFAULTS);
        try (var socket = site.connect()) {
            assertHealthy(socket);
            site.close();
            assertEnded(socket);
        }
    }

    @Test
    void addressInUseIsToldInASentence() throws IOException {
        try (var site = site(HttpPort.Limits.DEFAULTS)) {
            var address = new BindAddress(InetAddress.getLoopbackAddress(), site.port.port());
            try (var other = new HttpPort(address, IMPATIENT, System::nanoTime)) {
                var failure = assertThrows(IOException.class, other::open);
                assertEquals(
                        "cannot listen on " + address
                                + ": the address is in use, perhaps by another server that still runs",
                        failure.getMessage());
            }
        }
    }

    @Test
    void addressOfAnotherMachineIsToldToo() throws IOException {
        var address = new BindAddress(InetAddress.ofLiteral("192.0.2.1"), 0);
        try (var port = new HttpPort(address, IMPATIENT, System::nanoTime)) {
            var failure = assertThrows(IOException.class, port::open);
            assertTrue(failure.toString().contains(": cannot listen on 192.0.2.1:0: "), failure.toString());
        }
    }

    @Test
    void http2IsSpokenAfterAnUpgrade() throws IOException, InterruptedException {
        try (var site = site(HttpPort.Limits.DEFAULTS);
                var client = HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_2)
                        .build()) {
            for (var path : new String[] {"/health", "/", "/nothing"}) {
                var uri = URI.create("http://127.0.0.1:" + site.port.port() + path);
                var answer = client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
                assertEquals(HttpClient.Version.HTTP_2, answer.version());
                assertEquals(path.equals("/nothing") ? 404 : 200, answer.statusCode());
                assertEquals(
                        "*",
                        answer.headers()
                                .firstValue("Access-Control-Allow-Origin")
                                .orElseThrow());
                assertEquals("grapnel", answer.headers().firstValue("Server").orElseThrow());
            }
        }
    }

    @Test
    void http2IsSpokenAtOnce() throws IOException {
        try (var site = site(HttpPort.Limits.DEFAULTS);
                var socket = site.connect()) {
            Site.send(socket, PREFACE);
            socket.getOutputStream().write(frame("04", "00", 0, "")); // SETTINGS
            // HEADERS, complete: GET, http, /health, authority x
            socket.getOutputStream().write(frame("01", "05", 1, "8286" + "0407" + hex("/health") + "4101" + hex("x")));
            assertEquals("ok", dataOf(new DataInputStream(socket.getInputStream())));
        }
    }

    @Test
    void http2ThatOnlyPingsIsClosed() throws IOException, InterruptedException {
        var limits = new HttpPort.Limits(Duration.ofMillis(300), Duration.ofMillis(500), 100, 100);
        try (var site = site(limits);
                var socket = site.connect()) {
            Site.send(socket, PREFACE);
            socket.getOutputStream().write(frame("04", "00", 0, ""));
            var pings = Thread.ofVirtual().start(() -> ping(socket));
            assertThrows(IOException.class, () -> dataOf(new DataInputStream(socket.getInputStream())));
            pings.join();
        }
    }

    @Test
    void http2ThatDoesNotAskInTimeIsCut() throws IOException {
        for (var bytes : List.of(PREFACE.substring(0, 18), PREFACE)) {
            try (var site = site(IMPATIENT);
                    var socket = site.connect()) {
                Site.send(socket, bytes);
                awaitEnd(socket);
            }
        }
    }

    @Test
    void moreConnectionsThanMaySpeakHttp2AreCut() throws IOException {
        try (var site = site(new HttpPort.Limits(LONG, LONG, 100, 1));
                var first = site.connect();
                var second = site.connect();
                var plain = site.connect()) {
            ask(first);
            assertEquals("ok", dataOf(new DataInputStream(first.getInputStream())));
            Site.send(second, PREFACE);
            awaitEnd(second);
            assertHealthy(plain);
        }
    }

    /// What HTTP/2 says at its beginning and end is of no interest.
    private static void awaitEnd(Socket socket) throws IOException {
        try {
            socket.getInputStream().readAllBytes();
        } catch (SocketException _) {
            // reset, because we had sent something that nobody will read
        }
    }

    private static void ask(Socket socket) throws IOException {
        Site.send(socket, PREFACE);
        socket.getOutputStream().write(frame("04", "00", 0, ""));
        socket.getOutputStream().write(frame("01", "05", 1, "8286" + "0407" + hex("/health") + "4101" + hex("x")));
    }

    private static void ping(Socket socket) {
        try {
            while (true) {
                socket.getOutputStream().write(frame("06", "00", 0, "0000000000000000"));
                TimeUnit.MILLISECONDS.sleep(50);
            }
        } catch (IOException | InterruptedException _) {
            // what we waited for
        }
    }

    private static byte[] frame(String type, String flags, int stream, String payload) {
        return HexFormat.of()
                .parseHex(String.format("%06x%s%s%08x%s", payload.length() / 2, type, flags, stream, payload));
    }

    private static String hex(String text) {
        return HexFormat.of().formatHex(text.getBytes(StandardCharsets.US_ASCII));
    }

    /// The first DATA frame that comes.
    private static String dataOf(DataInputStream in) throws IOException {
        while (true) {
            int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
            int type = in.readUnsignedByte();
            in.skipNBytes(5);
            var payload = in.readNBytes(length);
            if (payload.length < length) {
                throw new EOFException();
            }
            if (type == 0) {
                return new String(payload, StandardCharsets.US_ASCII);
            }
        }
    }
}
