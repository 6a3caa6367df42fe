package dev.grapnel.outbound.http;

import static dev.grapnel.outbound.Outside.LIMITS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.outbound.Cancellation;
import dev.grapnel.outbound.Failure;
import dev.grapnel.outbound.LineLimits;
import dev.grapnel.outbound.ManualTime;
import dev.grapnel.outbound.OutboundException;
import dev.grapnel.outbound.Outside;
import dev.grapnel.outbound.RawServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Row 164, as far as a transfer knows: whatever a server does, it ends, and the place is free again.
final class HostileAnswerTest {
    private static final long MAX = 1L << 20;
    private static final Duration SHORT = Duration.ofMillis(150);

    private final Outside outside = new Outside();

    @AfterEach
    void nothingIsLeft() {
        assertEquals(0, outside.slots.inUse());
        outside.close();
    }

    @Test
    void answersThatEndTooEarlyAreBroken() throws IOException {
        for (var answer : List.of(
                "",
                "HTTP/1.1 200",
                "HTTP/1.1 200 OK\r\nA: b\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhel",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n")) {
            assertEquals(new Failure.Broken(), failure(answer), answer);
        }
    }

    @Test
    void whatIsNotTheProtocolIsRefused() throws IOException {
        for (var answer : List.of(
                "SSH-2.0-OpenSSH\r\n\r\n",
                "HTTP/2 200 OK\r\n\r\n",
                "HTTP/1.1 2000 OK\r\n\r\n",
                "HTTP/1.1 200 OK\r\nno colon\r\n\r\n",
                "HTTP/1.1 200 OK\r\nA: b\r\n folded\r\n\r\n",
                "HTTP/1.1 200 OK\r\nA : b\r\n\r\n",
                "HTTP/1.1 200 OK\r\nA: b\u0000\r\n\r\n",
                "HTTP/1.1 101 Switching\r\n\r\n",
                "HTTP/1.1 100 C\r\n\r\n".repeat(9) + RawServer.ok("x"),
                "HTTP/1.1 200 OK\r\n" + "A: b\r\n".repeat(129) + "\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello!",
                "HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\nhello",
                "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\nhello",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\nx",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffffffff\r\nx",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhello\r\n0\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Encoding: br\r\nContent-Length: 1\r\n\r\nx",
                "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 5\r\n\r\nhello")) {
            assertInstanceOf(Failure.Protocol.class, failure(answer), answer);
        }
    }

    @Test
    void answersThatAreTooLargeAreEndedAtOnce() throws IOException {
        for (var answer : List.of(
                "HTTP/1.1 200 OK\r\nContent-Length: " + (MAX + 1) + "\r\n\r\n",
                "HTTP/1.1 200 OK\r\nA: " + "x".repeat(70_000),
                "x".repeat(70_000),
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;" + "x".repeat(5_000),
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nA: " + "x".repeat(17_000))) {
            assertInstanceOf(Failure.TooLarge.class, failure(answer));
        }
    }

    @Test
    void endlessAnswersAreCutOff() throws IOException {
        for (var head : List.of(
                "HTTP/1.1 200 OK\r\n\r\n", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n7fffffff\r\n")) {
            assertEquals(new Failure.TooLarge("the answer", MAX), failure(peer -> {
                var out = begin(peer, head);
                var piece = new byte[10_000];
                while (true) {
                    out.write(piece);
                }
            }));
        }
    }

    @Test
    void compressedAnswerIsBoundedWhileItIsInflated() throws IOException {
        var bomb = new ByteArrayOutputStream();
        try (var zip = new GZIPOutputStream(bomb)) {
            zip.write(new byte[8 << 20]);
        }
        assertTrue(bomb.size() < 20_000);
        assertEquals(new Failure.TooLarge("the answer", MAX), failure(gzipped(bomb.toByteArray())));
    }

    @Test
    void manyCompressedStreamsBehindEachOtherAreRefused() throws IOException {
        var empty = new ByteArrayOutputStream();
        try (var zip = new GZIPOutputStream(empty)) {
            zip.flush();
        }
        var many = new ByteArrayOutputStream();
        for (int i = 0; i < 20_000; i++) {
            many.writeBytes(empty.toByteArray());
        }
        assertInstanceOf(Failure.Protocol.class, failure(gzipped(many.toByteArray())));
    }

    @Test
    void damagedCompressionIsNoticed() throws IOException {
        var good = new ByteArrayOutputStream();
        try (var zip = new GZIPOutputStream(good)) {
            zip.write("hello hello hello".getBytes(StandardCharsets.US_ASCII));
        }
        for (int at : new int[] {0, 2, 3, 12, good.size() - 6, good.size() - 1}) {
            var bytes = good.toByteArray();
            bytes[at] ^= (byte) 0xe1;
            assertInstanceOf(Failure.Protocol.class, failure(gzipped(bytes)), "byte " + at);
        }
        var cut = Arrays.copyOf(good.toByteArray(), good.size() - 4);
        assertInstanceOf(Failure.Protocol.class, failure(gzipped(cut)));
    }

    @Test
    void silenceBeforeTheAnswerIsLimited() throws IOException {
        var limits = LIMITS.withFirstByte(SHORT);
        assertEquals(timeout(Failure.Limit.FIRST_BYTE), failure(peer -> begin(peer, ""), limits));
        assertEquals(
                timeout(Failure.Limit.FIRST_BYTE), failure(peer -> begin(peer, "HTTP/1.1 200 OK\r\n\r\n"), limits));
    }

    @Test
    void silenceWithinTheAnswerIsLimited() throws IOException {
        var limits = new LineLimits(
                LIMITS.connect(), LIMITS.tls(), LIMITS.firstByte(), SHORT, 0, LIMITS.rateOver(), LIMITS.whole());
        assertEquals(timeout(Failure.Limit.SILENCE), failure(peer -> begin(peer, "HTTP/1.1 200 OK\r\n\r\nx"), limits));
    }

    @Test
    void serverThatDripsIsTooSlow() throws IOException {
        var limits = new LineLimits(
                LIMITS.connect(), LIMITS.tls(), LIMITS.firstByte(), LIMITS.silence(), 10_000, SHORT, LIMITS.whole());
        assertEquals(timeout(Failure.Limit.RATE), failure(HostileAnswerTest::drip, limits));
    }

    @Test
    void everythingTogetherIsLimited() throws IOException {
        assertEquals(timeout(Failure.Limit.WHOLE), failure(HostileAnswerTest::drip, LIMITS.withWhole(SHORT)));
        assertEquals(timeout(Failure.Limit.WHOLE), failure(peer -> begin(peer, ""), LIMITS.withWhole(Duration.ZERO)));
    }

    /// A peer that takes nothing would otherwise hold a thread for ever: writing has no limit of its own.
    @Test
    void serverThatDoesNotReadIsLeft() throws IOException {
        var limits = new LineLimits(
                LIMITS.connect(), LIMITS.tls(), LIMITS.firstByte(), SHORT, 0, LIMITS.rateOver(), LIMITS.whole());
        var hold = new CompletableFuture<Void>();
        try (var server = RawServer.open(_ -> hold.join())) {
            var body = new Body.Chunked(out -> {
                for (int i = 0; i < 10_000; i++) {
                    out.write(new byte[1 << 16]);
                }
            });
            var request = Request.post(Outside.url(server), "/x", body, limits, MAX);
            var e = assertThrows(OutboundException.class, () -> outside.client.ask(request, new Cancellation()));
            assertEquals(timeout(Failure.Limit.SILENCE), e.failure());
            hold.complete(null);
        }
    }

    /// The limits of P-665 themselves, in a time of the test's own.
    @Test
    void packMayBeginAfterMinutesButNotAfterFive() throws Exception {
        var time = new ManualTime();
        var slow = new Outside(time);
        try (var server = RawServer.open(peer -> {
                    begin(peer, "HTTP/1.1 200 OK\r\n\r\n");
                    hang(peer);
                });
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var limits = LineLimits.DEFAULTS.withFirstByte(Duration.ofMinutes(5));
            long begun = time.getAsLong();
            var asked = threads.submit(() -> read(slow, Request.get(Outside.url(server), "", limits, MAX)));
            for (int i = 0; i < 1_000 && !isDoneSoon(asked); i++) {
                time.advance(Duration.ofSeconds(1));
            }
            assertEquals(timeout(Failure.Limit.FIRST_BYTE), failureOf(asked));
            assertTrue(time.getAsLong() - begun >= Duration.ofMinutes(5).toNanos());
            assertEquals(0, time.waiting());
            assertEquals(0, slow.slots.inUse());
        }
    }

    @Test
    void silenceCanBeAllowedForOneAnswer() throws Exception {
        var limits = new LineLimits(
                LIMITS.connect(), LIMITS.tls(), LIMITS.firstByte(), SHORT, 0, LIMITS.rateOver(), LIMITS.whole());
        var more = new CompletableFuture<Void>();
        try (var server = RawServer.open(peer -> {
                    var out = peer.getOutputStream();
                    RawServer.readHead(peer.getInputStream());
                    out.write("HTTP/1.1 200 OK\r\n\r\nx".getBytes(StandardCharsets.US_ASCII));
                    more.get(20, TimeUnit.SECONDS);
                    out.write('y');
                });
                var answer =
                        outside.client.ask(Request.get(Outside.url(server), "", limits, MAX), new Cancellation())) {
            answer.allowSilence(Duration.ofSeconds(20));
            assertEquals('x', answer.body().read());
            CompletableFuture.delayedExecutor(SHORT.toMillis() * 2, TimeUnit.MILLISECONDS)
                    .execute(() -> more.complete(null));
            assertEquals('y', answer.body().read());
        }
    }

    @Test
    void anotherThreadCancelsWithinMilliseconds() throws Exception {
        var cancellation = new Cancellation();
        try (var server = RawServer.open(HostileAnswerTest::hang);
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var request = Request.get(Outside.url(server), "", LIMITS, MAX);
            var first = threads.submit(() -> outside.client.ask(request, cancellation));
            var second = threads.submit(() -> outside.client.ask(request, cancellation));
            server.awaitArrival();
            server.awaitArrival();
            long begun = System.nanoTime();
            cancellation.cancel();
            assertEquals(new Failure.Cancelled(), failureOf(first));
            assertEquals(new Failure.Cancelled(), failureOf(second));
            assertTrue(System.nanoTime() - begun < Duration.ofSeconds(5).toNanos());
            assertTrue(cancellation.isCancelled());
        }
    }

    @Test
    void interruptedThreadStopsAsCancelled() throws Exception {
        try (var server = RawServer.open(HostileAnswerTest::hang);
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var failure = new CompletableFuture<Failure>();
            var task = threads.submit(() -> {
                var request = Request.get(Outside.url(server), "", LIMITS, MAX);
                failure.complete(
                        assertThrows(OutboundException.class, () -> outside.client.ask(request, new Cancellation()))
                                .failure());
            });
            server.awaitArrival();
            assertTrue(task.cancel(true));
            assertEquals(new Failure.Cancelled(), failure.get(20, TimeUnit.SECONDS));
        }
    }

    private static Failure timeout(Failure.Limit limit) {
        return new Failure.Timeout(limit);
    }

    private static void hang(Socket peer) throws IOException {
        peer.getInputStream().readAllBytes();
    }

    /// Reads the request, says something, and then nothing until the client goes.
    private static OutputStream begin(Socket peer, String text) throws IOException {
        RawServer.readHead(peer.getInputStream());
        peer.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
        return peer.getOutputStream();
    }

    private static void drip(Socket peer) throws Exception {
        var out = begin(peer, "HTTP/1.1 200 OK\r\n\r\n");
        var pause = new CompletableFuture<Void>();
        for (int i = 0; i < 1_000; i++) {
            out.write('x');
            assertThrows(TimeoutException.class, () -> pause.get(10, TimeUnit.MILLISECONDS));
        }
    }

    private static RawServer.Script gzipped(byte[] bytes) {
        return peer -> begin(
                        peer,
                        "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: " + bytes.length + "\r\n\r\n")
                .write(bytes);
    }

    private Failure failure(String answer) throws IOException {
        return failure(RawServer.answering(answer));
    }

    private Failure failure(RawServer.Script script) throws IOException {
        try (var server = RawServer.open(script)) {
            return fail(server, LIMITS);
        }
    }

    /// With a server that hangs after its script.
    private Failure failure(RawServer.Script script, LineLimits limits) throws IOException {
        try (var server = RawServer.open(peer -> {
            script.talk(peer);
            hang(peer);
        })) {
            return fail(server, limits);
        }
    }

    private Failure fail(RawServer server, LineLimits limits) {
        var request = Request.get(Outside.url(server), "", limits, MAX);
        return assertThrows(OutboundException.class, () -> read(outside, request))
                .failure();
    }

    private static long read(Outside outside, Request request) throws IOException {
        try (var answer = outside.client.ask(request, new Cancellation())) {
            return answer.body().transferTo(OutputStream.nullOutputStream());
        }
    }

    /// Leaves other threads time to come as far as they can.
    private static boolean isDoneSoon(Future<?> task) throws InterruptedException {
        try {
            task.get(2, TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException _) {
            return false;
        } catch (ExecutionException _) {
            return true;
        }
    }

    private static Failure failureOf(Future<?> task) {
        var e = assertThrows(ExecutionException.class, () -> task.get(20, TimeUnit.SECONDS));
        return assertInstanceOf(OutboundException.class, e.getCause()).failure();
    }
}
