package dev.grapnel.outbound.websocket;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.outbound.Outside;
import dev.grapnel.outbound.ScriptedLine;
import dev.grapnel.websocket.FrameHead;
import dev.grapnel.websocket.FrameMemory;
import dev.grapnel.websocket.FrameReader;
import dev.grapnel.websocket.Inflation;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// Who writes while a peer takes nothing.
final class BusyWebSocketTest {
    private static final int LARGE = 40 << 10;
    private static final int HEAD_MAX = 14;

    private final ByteArrayOutputStream taken = new ByteArrayOutputStream();
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch takes = new CountDownLatch(1);

    /// A peer that takes nothing at first.
    private final class Stuck extends OutputStream {
        @Override
        public void write(int value) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            begun.countDown();
            try {
                takes.await();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
            taken.write(bytes, offset, length);
        }
    }

    private WebSocket open(byte[] come) throws IOException {
        var in = new ByteArrayInputStream(come);
        var limits = new SocketLimits(Outside.LIMITS, 1_000, Duration.ofSeconds(10), 1 << 16);
        var reader = new FrameReader(FrameReader.Sender.SERVER, 1_000, false, new Inflation(1), FrameMemory.PLENTY);
        return new WebSocket(
                ScriptedLine.of(in, new Stuck()), in, reader, limits, new SplittableRandom(7), System::nanoTime);
    }

    /// However large what is sent is: it waits with its sender, not with whoever answers.
    @Test
    void whatIsSentWhileAPingIsAnsweredDoesNotPileUp() throws Exception {
        try (var socket = open(FrameHead.write(FrameHead.FINAL | FrameHead.PING, 0, 0))) {
            var received = new FutureTask<>(socket::receive);
            Thread.ofPlatform().start(received);
            begun.await();
            var sent = new FutureTask<>(() -> {
                for (int i = 0; i < 3; i++) {
                    socket.send(Bytes.wrap(new byte[LARGE]));
                }
                return true;
            });
            var sender = Thread.ofPlatform().start(sent);
            while (!sent.isDone() && sender.getState() != Thread.State.WAITING) {
                Thread.onSpinWait();
            }
            takes.countDown();
            assertEquals(true, sent.get(20, TimeUnit.SECONDS));
            assertEquals(3, taken.size() / LARGE);
            assertEquals(0, (taken.size() - 3 * LARGE) / (4 * HEAD_MAX));
        }
    }
}
