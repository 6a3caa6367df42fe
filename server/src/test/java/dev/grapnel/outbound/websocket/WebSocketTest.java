package dev.grapnel.outbound.websocket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.outbound.Cancellation;
import dev.grapnel.outbound.Failure;
import dev.grapnel.outbound.LineLimits;
import dev.grapnel.outbound.ManualTime;
import dev.grapnel.outbound.OutboundException;
import dev.grapnel.outbound.Outside;
import dev.grapnel.outbound.RawServer;
import dev.grapnel.outbound.RemoteUrl;
import dev.grapnel.outbound.UrlShape;
import dev.grapnel.outbound.websocket.WebSocket.Heard;
import dev.grapnel.outbound.websocket.WebSocketClient.Opened;
import dev.grapnel.websocket.CloseCode;
import dev.grapnel.websocket.FrameHead;
import dev.grapnel.websocket.HandshakeKey;
import dev.grapnel.websocket.Incoming;
import dev.grapnel.websocket.Inflation;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Our side of a WebSocket, against servers that do what they like.
final class WebSocketTest {
    private static final int MESSAGE_MAX = 1_000;
    private static final int TEXT = FrameHead.FINAL | FrameHead.TEXT;

    private final ManualTime time = new ManualTime();
    private final Outside outside = new Outside();
    private final Outside still = new Outside(time);
    private final Cancellation cancellation = new Cancellation();

    @AfterEach
    void close() {
        outside.close();
        still.close();
    }

    private static WebSocketClient client(Outside outside) {
        return new WebSocketClient(
                outside.dialer, "Grapnel/1.2.3 (git.example.com)", new Inflation(1), new SplittableRandom(7));
    }

    private static SocketLimits limits(LineLimits line) {
        return new SocketLimits(line, MESSAGE_MAX, Duration.ofSeconds(10), 1 << 16);
    }

    private static RemoteUrl url(RawServer server) {
        return RemoteUrl.parse("ws://" + Outside.HOST + ":" + server.port() + "/a/b?c=d", UrlShape.relay())
                .require();
    }

    private Opened ask(RawServer server) throws IOException {
        return client(outside).open(url(server), limits(Outside.LIMITS), cancellation);
    }

    private WebSocket open(Outside by, RawServer server) throws IOException {
        return ((Opened.Open) client(by).open(url(server), limits(Outside.LIMITS), cancellation)).socket();
    }

    private WebSocket open(RawServer server) throws IOException {
        return open(outside, server);
    }

    private static String text(Heard heard) {
        var text = assertInstanceOf(Heard.Message.class, heard).text();
        return new String(text.bytes(), 0, text.length(), StandardCharsets.UTF_8);
    }

    private static Failure failure(org.junit.jupiter.api.function.Executable step) {
        return assertThrows(OutboundException.class, step).failure();
    }

    /// What receiving comes to when a server says this after the handshake.
    private Failure failureOf(ScriptedPeer.Talk talk) throws IOException {
        try (var server = RawServer.open(ScriptedPeer.talking(talk));
                var socket = open(server)) {
            return failure(socket::receive);
        }
    }

    // ---- the handshake

    @Test
    void requestSaysWhoAsksAndForWhat() throws Exception {
        var head = new CompletableFuture<String>();
        try (var server = RawServer.open(ScriptedPeer.talking(peer -> head.complete(peer.head())));
                var _ = open(server)) {
            var lines = Arrays.asList(head.get(20, TimeUnit.SECONDS).split("\r\n"));
            assertEquals("GET /a/b?c=d HTTP/1.1", lines.getFirst());
            assertTrue(lines.contains("Host: host.example:" + server.port()));
            assertTrue(lines.contains("User-Agent: Grapnel/1.2.3 (git.example.com)"));
            assertTrue(lines.contains("Sec-WebSocket-Version: 13"));
            assertTrue(lines.contains("Upgrade: websocket") && lines.contains("Connection: Upgrade"));
        }
    }

    @Test
    void serverThatAnswersAnotherKeyIsNotBelieved() throws Exception {
        var answer = "HTTP/1.1 101 x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: "
                + HandshakeKey.accept("another") + "\r\n\r\n";
        try (var server = RawServer.open(RawServer.answering(answer))) {
            assertEquals(new Failure.Protocol("it answered another key than ours"), failure(() -> ask(server)));
        }
    }

    @Test
    void extensionsThatWereNotOfferedAreRefused() throws Exception {
        for (var extension : new String[] {
            "x-other", "permessage-deflate", "permessage-deflate; server_no_context_takeover; client_max_window_bits=9"
        }) {
            var fields = "Sec-WebSocket-Extensions: " + extension + "\r\n";
            try (var server = RawServer.open(ScriptedPeer.talking(fields, _ -> {}))) {
                assertEquals(
                        new Failure.Protocol("it chose an extension that was not offered"), failure(() -> ask(server)));
            }
        }
    }

    @Test
    void statusIsAnAnswerAndRedirectsAreNotFollowed() throws Exception {
        try (var elsewhere = RawServer.open(RawServer.answering(RawServer.ok("")));
                var busy = RawServer.open(
                        RawServer.answering("HTTP/1.1 429 Too Many\r\nRetry-After: 7\r\nContent-Length: 0\r\n\r\n"));
                var moved = RawServer.open(RawServer.answering(
                        RawServer.redirect("ws://" + Outside.HOST + ":" + elsewhere.port() + "/")))) {
            assertEquals(new Opened.Refused(429, Optional.of("7")), ask(busy));
            assertEquals(new Opened.Refused(302, Optional.empty()), ask(moved));
            assertEquals(0, elsewhere.accepted());
            assertEquals(0, outside.slots.inUse());
        }
    }

    @Test
    void handshakeThatDripsEndsInTime() throws Exception {
        try (var server = RawServer.open(peer -> {
                    peer.getOutputStream().write("HTTP/1.1 101 S".getBytes(StandardCharsets.ISO_8859_1));
                    peer.getInputStream().transferTo(java.io.OutputStream.nullOutputStream());
                });
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var asked = threads.submit(() -> client(still).open(url(server), limits(Outside.LIMITS), cancellation));
            server.awaitArrival();
            assertEquals(new Failure.Timeout(Failure.Limit.FIRST_BYTE), passTimeUntil(asked));
        }
    }

    // ---- messages

    @Test
    void fragmentsBecomeOneMessageAndPingsBetweenThemAreAnswered() throws Exception {
        var pong = new CompletableFuture<Incoming>();
        try (var server = RawServer.open(ScriptedPeer.talking(peer -> {
                    peer.frame(FrameHead.TEXT, "one ");
                    peer.frame(FrameHead.FINAL | FrameHead.PING, "you?");
                    peer.frame(FrameHead.CONTINUATION, "two ");
                    peer.frame(FrameHead.FINAL, "th\u00e9");
                    pong.complete(peer.next());
                    peer.awaitEnd();
                }));
                var socket = open(server)) {
            assertEquals("one two th\u00e9", text(socket.receive()));
            assertInstanceOf(Incoming.Pong.class, pong.get(20, TimeUnit.SECONDS));
        }
    }

    @Test
    void whatIsSentIsMaskedByChance() throws Exception {
        var raw = new CompletableFuture<byte[]>();
        try (var server = RawServer.open(peer -> {
                    var head = RawServer.readHead(peer.getInputStream());
                    peer.getOutputStream()
                            .write(
                                    ("HTTP/1.1 101 x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: "
                                                    + HandshakeKey.accept(ScriptedPeer.key(head))
                                                    + "\r\n\r\n")
                                            .getBytes(StandardCharsets.ISO_8859_1));
                    raw.complete(peer.getInputStream().readNBytes(2 * 11));
                });
                var socket = open(server)) {
            socket.send(Bytes.wrap("hello".getBytes(StandardCharsets.UTF_8)));
            socket.send(Bytes.wrap("hello".getBytes(StandardCharsets.UTF_8)));
            var frames = raw.get(20, TimeUnit.SECONDS);
            assertEquals((byte) 0x81, frames[0]);
            assertEquals((byte) 0x85, frames[1]);
            var first = Arrays.copyOfRange(frames, 2, 11);
            assertNotEquals(Bytes.wrap(first), Bytes.wrap(Arrays.copyOfRange(frames, 13, 22)));
            for (int i = 0; i < 5; i++) {
                assertEquals("hello".charAt(i), (char) (first[4 + i] ^ first[i & 3]));
            }
        }
    }

    @Test
    void compressedMessagesAreInflatedUpToTheLimit() throws Exception {
        var fields = "Sec-WebSocket-Extensions: permessage-deflate; server_no_context_takeover\r\n";
        try (var server = RawServer.open(ScriptedPeer.talking(fields, peer -> {
                    peer.frame(FrameHead.COMPRESSED | TEXT, deflated("a".repeat(MESSAGE_MAX)));
                    peer.frame(FrameHead.COMPRESSED | TEXT, deflated("b".repeat(1 << 20)));
                    peer.awaitEnd();
                }));
                var socket = open(server)) {
            assertEquals("a".repeat(MESSAGE_MAX), text(socket.receive()));
            assertEquals(new Failure.TooLarge("a message", MESSAGE_MAX), failure(socket::receive));
        }
    }

    private static byte[] deflated(String text) throws IOException {
        var out = new ByteArrayOutputStream();
        try (var deflating = new DeflaterOutputStream(out, new Deflater(9, true), true)) {
            deflating.write(text.getBytes(StandardCharsets.UTF_8));
        }
        return out.toByteArray();
    }

    // ---- servers that break rules

    @Test
    void maskedFramesOfAServerAreRefusedAndItIsTold() throws Exception {
        var told = new CompletableFuture<Incoming>();
        try (var server = RawServer.open(ScriptedPeer.talking(peer -> {
                    peer.write(FrameHead.masked(TEXT, new byte[] {'x'}, 5));
                    told.complete(peer.next());
                }));
                var socket = open(server)) {
            assertEquals(new Failure.Protocol("a server's frames are not masked"), failure(socket::receive));
            assertEquals(new Incoming.Close(CloseCode.PROTOCOL_ERROR), told.get(20, TimeUnit.SECONDS));
        }
    }

    @Test
    void reservedBitsAndUnknownKindsAreRefused() throws Exception {
        assertInstanceOf(Failure.Protocol.class, failureOf(peer -> peer.frame(0x20 | TEXT, "x")));
        assertInstanceOf(Failure.Protocol.class, failureOf(peer -> peer.frame(FrameHead.COMPRESSED | TEXT, "x")));
        assertInstanceOf(Failure.Protocol.class, failureOf(peer -> peer.frame(FrameHead.FINAL | 3, "x")));
        assertInstanceOf(Failure.Protocol.class, failureOf(peer -> peer.frame(FrameHead.FINAL, "x")));
    }

    /// Somebody else wrote it: the relay only passes it on.
    @Test
    void textThatIsNoneEndsNothing() throws Exception {
        try (var server = RawServer.open(ScriptedPeer.talking(peer -> {
                    peer.frame(TEXT, new byte[] {(byte) 0xff});
                    peer.text("next");
                    peer.awaitEnd();
                }));
                var socket = open(server)) {
            assertEquals(new Heard.Garbled(), socket.receive());
            assertEquals("next", text(socket.receive()));
        }
    }

    /// Its length is enough: nothing of it is waited for.
    @Test
    void messageThatIsTooLongIsRefusedByItsHead() throws Exception {
        var failure = failureOf(peer -> {
            peer.write(FrameHead.write(TEXT, MESSAGE_MAX + 1, 0));
            peer.awaitEnd();
        });
        assertEquals(new Failure.TooLarge("a message", MESSAGE_MAX), failure);
    }

    @Test
    void endlessFragmentsEnd() throws Exception {
        var failure = failureOf(peer -> {
            peer.frame(FrameHead.TEXT, "");
            while (true) {
                peer.frame(FrameHead.CONTINUATION, "");
            }
        });
        assertEquals(new Failure.TooLarge("a message", MESSAGE_MAX), failure);
    }

    @Test
    void floodOfPingsEnds() throws Exception {
        var failure = failureOf(peer -> {
            while (true) {
                peer.frame(FrameHead.FINAL | FrameHead.PING, "");
            }
        });
        assertEquals(new Failure.Flooded("pings"), failure);
    }

    @Test
    void closeAmidstAMessageIsAnsweredAndToldForGood() throws Exception {
        var told = new CompletableFuture<Incoming>();
        try (var server = RawServer.open(ScriptedPeer.talking(peer -> {
                    peer.frame(FrameHead.TEXT, "half");
                    peer.frame(FrameHead.FINAL | FrameHead.CLOSE, FrameHead.closing(CloseCode.GOING_AWAY, "bye"));
                    told.complete(peer.next());
                }));
                var socket = open(server)) {
            assertEquals(new Heard.Closed(CloseCode.GOING_AWAY), socket.receive());
            assertEquals(new Heard.Closed(CloseCode.GOING_AWAY), socket.receive());
            assertEquals(new Incoming.Close(CloseCode.GOING_AWAY), told.get(20, TimeUnit.SECONDS));
            assertEquals(new Failure.Broken(), failure(socket::ping));
        }
    }

    @Test
    void endAmidstAMessageIsNoMessage() throws Exception {
        assertEquals(new Failure.Broken(), failureOf(peer -> peer.frame(FrameHead.TEXT, "half")));
    }

    @Test
    void ourCloseIsAnswered() throws Exception {
        try (var server = RawServer.open(ScriptedPeer.talking(peer -> {
                    if (peer.next() instanceof Incoming.Close(var code)) {
                        peer.frame(FrameHead.FINAL | FrameHead.CLOSE, FrameHead.closing(code, ""));
                    }
                }));
                var socket = open(server)) {
            socket.bid(CloseCode.NORMAL);
            assertEquals(new Heard.Closed(CloseCode.NORMAL), socket.receive());
        }
    }

    // ---- time

    /// Lets a second pass at a time until something has failed.
    private Failure passTimeUntil(java.util.concurrent.Future<?> failing) throws InterruptedException {
        for (int i = 0; i < 10_000; i++) {
            try {
                failing.get(1, TimeUnit.MILLISECONDS);
                throw new AssertionError("it did not fail");
            } catch (TimeoutException _) {
                time.advance(Duration.ofSeconds(1));
            } catch (ExecutionException e) {
                return assertInstanceOf(OutboundException.class, e.getCause()).failure();
            }
        }
        throw new AssertionError("it does not end");
    }

    private static <T> FutureTask<T> inBackground(Callable<T> work) {
        var task = new FutureTask<>(work);
        Thread.ofVirtual().start(task);
        return task;
    }

    /// Each byte is a sign of life; the message must come to its end nevertheless.
    @Test
    void messageThatDripsEndsInTime() throws Exception {
        var wanted = new Semaphore(0);
        try (var server = RawServer.open(ScriptedPeer.talking(peer -> {
                    for (byte next : FrameHead.write(TEXT, 900, 900)) {
                        wanted.acquire();
                        peer.write(next);
                    }
                }));
                var socket = open(still, server)) {
            var received = inBackground(socket::receive);
            long before = socket.bytesReceived();
            for (int i = 1; i <= 3; i++) {
                wanted.release();
                awaitBytes(socket, before + i, received);
                time.advance(Duration.ofSeconds(5));
            }
            wanted.release(100);
            var problem = assertThrows(ExecutionException.class, () -> received.get(20, TimeUnit.SECONDS));
            assertEquals(
                    new Failure.Timeout(Failure.Limit.RATE),
                    assertInstanceOf(OutboundException.class, problem.getCause())
                            .failure());
        }
    }

    private static void awaitBytes(WebSocket socket, long count, FutureTask<?> received) {
        long end = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (socket.bytesReceived() < count && !received.isDone()) {
            assertTrue(System.nanoTime() < end, "nothing comes");
            Thread.onSpinWait();
        }
    }

    /// What we send is no sign of life of the peer.
    @Test
    void silentServerIsHungUpOnThoughWeTalk() throws Exception {
        try (var server = RawServer.open(ScriptedPeer.talking(ScriptedPeer::awaitEnd));
                var socket = open(still, server)) {
            var received = inBackground(socket::receive);
            for (int i = 0; i < 19; i++) {
                time.advance(Duration.ofSeconds(1));
                socket.ping();
            }
            assertEquals(new Failure.Timeout(Failure.Limit.SILENCE), passTimeUntil(received));
        }
    }

    /// Nobody waits for a lock meanwhile, and what waits to be sent is limited.
    @Test
    void serverThatTakesNothingIsHungUpOn() throws Exception {
        var done = new CompletableFuture<Void>();
        try (var server = RawServer.open(ScriptedPeer.talking(_ -> done.join()));
                var socket = open(still, server)) {
            var big = Bytes.wrap(new byte[1 << 15]);
            var sent = inBackground(() -> {
                while (true) {
                    socket.send(big);
                }
            });
            var refused = inBackground(() -> {
                while (true) {
                    socket.send(big);
                }
            });
            assertEquals(
                    new Failure.Busy("as much waits to be sent to this server as may"), firstFailure(refused, sent));
            assertEquals(new Failure.Timeout(Failure.Limit.SILENCE), passTimeUntil(refused.isDone() ? sent : refused));
        } finally {
            done.complete(null);
        }
    }

    private static Failure firstFailure(FutureTask<?> one, FutureTask<?> other) throws InterruptedException {
        long end = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (!one.isDone() && !other.isDone()) {
            assertTrue(System.nanoTime() < end, "neither fails");
            Thread.onSpinWait();
        }
        var problem = assertThrows(ExecutionException.class, (one.isDone() ? one : other)::get);
        return assertInstanceOf(OutboundException.class, problem.getCause()).failure();
    }

    @Test
    void cancellationEndsReceiving() throws Exception {
        try (var server = RawServer.open(ScriptedPeer.talking(ScriptedPeer::awaitEnd));
                var socket = open(server)) {
            var received = inBackground(socket::receive);
            cancellation.cancel();
            var problem = assertThrows(ExecutionException.class, () -> received.get(20, TimeUnit.SECONDS));
            assertEquals(
                    new Failure.Cancelled(),
                    assertInstanceOf(OutboundException.class, problem.getCause())
                            .failure());
        }
        assertEquals(0, outside.slots.inUse());
    }
}
