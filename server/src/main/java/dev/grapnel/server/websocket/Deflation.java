package dev.grapnel.server.websocket;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.zip.Deflater;

/// Deflates parts of messages (RFC 7692, without context takeover). Native contexts are few and shared: each
/// has a quarter of a megabyte.
public final class Deflation {
    /// Below this a message is sent as it is.
    static final int LEAST_BYTES = 1 << 10;

    /// Fast rather than small: half of an event are hex digits, which no level makes much shorter.
    private static final int LEVEL = 3;

    private static final int STORED_MAX = 0xffff;

    private final ArrayBlockingQueue<Deflater> idle;

    /// @param idleMax contexts that are kept for the next message
    public Deflation(int idleMax) {
        idle = new ArrayBlockingQueue<>(idleMax);
    }

    /// Whole blocks that end at a byte, to stand between others. Empty if they would not be shorter.
    byte[] blocks(ByteBuffer text) {
        var pooled = idle.poll();
        var deflater = pooled == null ? new Deflater(LEVEL, true) : pooled;
        try {
            var out = new byte[text.remaining()];
            deflater.setInput(text.duplicate());
            int length = deflater.deflate(out, 0, out.length, Deflater.SYNC_FLUSH);
            return length == out.length ? new byte[0] : Arrays.copyOf(out, length);
        } finally {
            deflater.reset();
            if (!idle.offer(deflater)) {
                deflater.end();
            }
        }
    }

    /// Whether text is short enough for one block that is not compressed.
    static boolean isStorable(int length) {
        return length <= STORED_MAX;
    }

    /// Text as a block that is not compressed, which may stand between others.
    static byte[] stored(byte[] text) {
        var block = new byte[text.length + 5];
        block[1] = (byte) text.length;
        block[2] = (byte) (text.length >> 8);
        block[3] = (byte) ~text.length;
        block[4] = (byte) (~text.length >> 8);
        System.arraycopy(text, 0, block, 5, text.length);
        return block;
    }
}
