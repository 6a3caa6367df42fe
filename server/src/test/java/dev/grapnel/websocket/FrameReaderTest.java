package dev.grapnel.websocket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.SplittableRandom;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import org.junit.jupiter.api.Test;

/// What messages cost, and for how long.
final class FrameReaderTest {
    private static final int TEXT = FrameHead.FINAL | FrameHead.TEXT;
    private static final int MESSAGE_MAX = 1 << 20;

    private final Counted memory = new Counted();

    /// Memory that is counted, up to a limit.
    private static final class Counted implements FrameMemory {
        private long used;
        private long max = Long.MAX_VALUE;

        @Override
        public boolean reserve(long bytes) {
            if (used + bytes > max) {
                return false;
            }
            used += bytes;
            return true;
        }

        @Override
        public void release(long bytes) {
            used -= bytes;
        }
    }

    private FrameReader reader() {
        return new FrameReader(FrameReader.Sender.SERVER, MESSAGE_MAX, true, new Inflation(1), memory);
    }

    private static ByteBuffer frame(int first, byte[] payload) {
        var head = FrameHead.write(first, payload.length, 0);
        return ByteBuffer.allocate(head.length + payload.length)
                .put(head)
                .put(payload)
                .flip();
    }

    /// A message of nothing but spaces, which is a thousandth of that on its way.
    private static ByteBuffer compressed(int size) throws IOException {
        return compressed(" ".repeat(size));
    }

    private static ByteBuffer compressed(String text) throws IOException {
        var out = new ByteArrayOutputStream();
        try (var deflating = new DeflaterOutputStream(out, new Deflater(9, true), true)) {
            deflating.write(text.getBytes(StandardCharsets.UTF_8));
        }
        return frame(FrameHead.COMPRESSED | TEXT, out.toByteArray());
    }

    private void assertCounted(int size, ByteBuffer frame) {
        var reader = reader();
        assertEquals(
                size, assertInstanceOf(Incoming.Text.class, reader.next(frame)).length());
        assertTrue(memory.used >= size - (16 << 10), "counted: " + memory.used);
        reader.letGo();
        assertEquals(0, memory.used);
    }

    @Test
    void messageIsCountedUntilItIsLetGo() {
        assertCounted(300_000, frame(TEXT, new byte[300_000]));
    }

    @Test
    void messageThatGrowsWhenInflatedIsCountedAsLongAsItIs() throws IOException {
        assertCounted(1_000_000, compressed(1_000_000));
    }

    /// It may wait for long until somebody takes it.
    @Test
    void whatAMessageWasInflatedFromIsLetGo() throws IOException {
        var noise = new byte[200_000];
        new SplittableRandom(1).nextBytes(noise);
        var text = assertInstanceOf(
                Incoming.Text.class, reader().next(compressed(HexFormat.of().formatHex(noise))));
        assertTrue(memory.used <= text.bytes().length, "counted: " + memory.used);
    }

    @Test
    void whoReadsOnHasLetGo() throws IOException {
        var reader = reader();
        reader.next(compressed(1_000_000));
        reader.next(ByteBuffer.allocate(0));
        assertEquals(0, memory.used);
        reader.next(compressed(1_000_000));
        reader.close();
        assertEquals(0, memory.used);
    }

    @Test
    void messageThatGrowsIsRefusedWhereThereIsNoRoom() throws IOException {
        memory.max = 500_000;
        var reader = reader();
        assertEquals(
                new Incoming.Fault(CloseCode.TRY_LATER, "busy, try again later"), reader.next(compressed(1_000_000)));
        reader.close();
        assertEquals(0, memory.used);
    }
}
