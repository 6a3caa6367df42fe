package dev.grapnel.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Relay 6.8, test 189: a real server is told to stop while everybody is busy.
final class StopTest {
    private static final String STOPPING = "error: shutting down";
    private static final int HALTED = 130;

    @Test
    void everybodyIsToldAndNothingAnsweredIsLost(@TempDir Path directory) throws Exception {
        var publishers = new ArrayList<Publisher>();
        var listeners = new ArrayList<Listener>();
        try (var server = ServerProcess.start(directory)) {
            int port = server.awaitPort();
            for (int i = 0; i < 4; i++) {
                var listener = new Listener(WireClient.open(port));
                listeners.add(listener);
                listener.send("[\"REQ\",\"all\",{}]");
                listener.send("[\"REQ\",\"none\",{\"kinds\":[7]}]");
                listener.send("[\"NEG-OPEN\",\"n\",{\"kinds\":[7]},\"6100000200\"]");
                listener.await(
                        "answers",
                        () -> listener.ends("all") + listener.ends("none") == 2
                                && !listener.others().isEmpty());
            }
            for (int i = 0; i < 4; i++) {
                publishers.add(Publisher.start(port, i, "publisher " + i));
            }
            for (var publisher : publishers) {
                publisher.listener().await("answers", () -> publisher.listener().answerCount() > 100);
            }
            server.signal("TERM");
            assertEquals(0, server.awaitEnd(15));
            for (var listener : listeners) {
                assertEquals(1001, listener.awaitClose());
                assertEquals(List.of(STOPPING), listener.closed("all"));
                assertEquals(List.of(STOPPING), listener.closed("none"));
                assertEquals(
                        "[\"NEG-ERR\",\"n\",\"closed: shutting down\"]",
                        listener.others().getLast());
                assertEquals(listener.eventCount("all"), new HashSet<>(listener.events("all")).size());
            }
            var answered = new HashSet<String>();
            for (var publisher : publishers) {
                assertEquals(1001, publisher.listener().awaitClose());
                answered.addAll(publisher.listener().accepted());
                assertEquals(
                        publisher.listener().answerCount(),
                        publisher.listener().accepted().size());
            }
            assertKept(answered, directory);
        } finally {
            for (var publisher : publishers) {
                publisher.close();
            }
            for (var listener : listeners) {
                listener.close();
            }
        }
    }

    private static void assertKept(Set<String> ids, Path directory) throws Exception {
        try (var server = ServerProcess.start(directory);
                var client = new RelayClient(WireClient.open(server.awaitPort()))) {
            var found = new HashSet<String>();
            client.query("{\"ids\":[\"" + String.join("\",\"", ids) + "\"]}").forEach(id -> found.add(id.toString()));
            assertEquals(Set.copyOf(ids), found);
        }
    }

    /// Somebody who does not read keeps it from stopping at once, which is the time to come too late in.
    @Test
    void nobodyComesInWhileItStopsAndASecondSignalEndsIt(@TempDir Path directory) throws Exception {
        var published = new HashSet<String>();
        try (var server = ServerProcess.start(directory)) {
            int port = server.awaitPort();
            try (var publisher = new RelayClient(WireClient.open(port));
                    var deaf = deaf(port);
                    var early = WireClient.connect(port)) {
                early.getOutputStream().write(bytes("GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"));
                assertTrue(early.getInputStream().read() >= 0);
                for (int i = 0; i < 300; i++) {
                    published.add(publisher
                            .publishOk(RelayUnderTest.note(1, i + "x".repeat(30_000)))
                            .id()
                            .toString());
                }
                deaf.send("[\"REQ\",\"s\",{}]");
                publisher.expectNothing();
                server.signal("TERM");
                server.awaitLog("stopping");
                assertEquals(1001, publisher.wire().receiveClose().closeCode());
                assertLate(port);
                assertLateOn(early);
                server.signal("TERM");
                assertEquals(HALTED, server.awaitEnd(15));
            }
        }
        assertKept(published, directory);
    }

    /// Who does not read is not waited for longer than a moment.
    @Test
    void whoDoesNotReadCannotKeepItFromStopping(@TempDir Path directory) throws Exception {
        try (var server = ServerProcess.start(directory)) {
            int port = server.awaitPort();
            try (var publisher = new RelayClient(WireClient.open(port));
                    var deaf = deaf(port)) {
                for (int i = 0; i < 300; i++) {
                    publisher.publishOk(RelayUnderTest.note(1, i + "x".repeat(30_000)));
                }
                deaf.send("[\"REQ\",\"s\",{}]");
                publisher.expectNothing();
                server.signal("TERM");
                assertEquals(0, server.awaitEnd(15));
            }
        }
    }

    /// Whenever a request to become a WebSocket comes, it is answered in order: first its head, then frames.
    @Test
    void handshakesDuringTheStopAreAnsweredInOrder() throws Exception {
        for (int round = 0; round < 10; round++) {
            var relay = RelayUnderTest.start("AUTH", "required");
            int port = relay.port();
            try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
                var outcomes = new ArrayList<Future<String>>();
                var inside = new CountDownLatch(8);
                for (int i = 0; i < 8; i++) {
                    outcomes.add(threads.submit(() -> connectUntilStopped(port, inside)));
                }
                inside.await();
                relay.close();
                for (var outcome : outcomes) {
                    assertEquals("", outcome.get());
                }
            } finally {
                relay.close();
            }
        }
    }

    /// Connects again and again; returns what was wrong.
    private static String connectUntilStopped(int port, CountDownLatch inside) {
        while (true) {
            try (var socket = WireClient.connect(port)) {
                socket.setSoTimeout(1_000);
                var client = WireClient.on(socket);
                inside.countDown();
                if (client.status() == 503) {
                    return "";
                }
                if (client.status() != 101) {
                    return "status " + client.status() + " " + client.body();
                }
                var first = client.frame();
                boolean isRight = first.opcode() == WireClient.CLOSE
                        ? first.closeCode() == 1001
                        : first.opcode() == WireClient.TEXT && first.text().startsWith("[\"AUTH\",");
                if (!isRight) {
                    return "opcode " + first.opcode() + ": " + first.text();
                }
            } catch (EOFException | SocketException | SocketTimeoutException _) {
                inside.countDown();
                return ""; // there is nobody any more
            } catch (IOException e) {
                return e.toString();
            }
        }
    }

    private static RelayClient deaf(int port) throws IOException {
        var socket = new Socket();
        socket.setReceiveBufferSize(8 << 10);
        socket.setSoTimeout(20_000);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        return new RelayClient(WireClient.on(socket));
    }

    private static void assertLate(int port) throws IOException {
        try (var late = WireClient.open(port)) {
            assertEquals(503, late.status());
        } catch (EOFException | SocketException _) {
            // there is nobody any more
        }
    }

    /// A connection that was there before asks to become a WebSocket.
    private static void assertLateOn(Socket early) throws IOException {
        var answer = new StringBuilder();
        try {
            early.getOutputStream().write(bytes(WireClient.upgrade("/", "")));
            while (answer.indexOf("shutting down") < 0) {
                int c = early.getInputStream().read();
                if (c < 0) {
                    break;
                }
                answer.append((char) c);
            }
        } catch (SocketException _) {
            // cut
        }
        assertTrue(answer.indexOf(" 101 ") < 0, answer.toString());
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
