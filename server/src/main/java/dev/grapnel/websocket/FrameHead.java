package dev.grapnel.websocket;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// What stands before the payload of a frame (RFC 6455, 5.2), and how payloads are masked.
public final class FrameHead {
    /// A frame that ends its message.
    public static final int FINAL = 0x80;

    /// The first frame of a message that is compressed (RFC 7692).
    public static final int COMPRESSED = 0x40;

    public static final int CONTINUATION = 0;
    public static final int TEXT = 1;
    public static final int BINARY = 2;
    public static final int CLOSE = 8;
    public static final int PING = 9;
    public static final int PONG = 10;

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    private static final int MASKED = 0x80;
    private static final int MASK_BYTES = 4;
    private static final int CLOSE_REASON_MAX = 123;

    private FrameHead() {}

    /// The head of a server's frame, with room behind it.
    ///
    /// @param first its first byte: marks and kind
    public static byte[] write(int first, int length, int room) {
        int size = size(length);
        var head = new byte[size + room];
        head[0] = (byte) first;
        switch (size) {
            case 2 -> head[1] = (byte) length;
            case 4 -> {
                head[1] = 126;
                head[2] = (byte) (length >> 8);
                head[3] = (byte) length;
            }
            default -> {
                head[1] = 127;
                head[6] = (byte) (length >> 24);
                head[7] = (byte) (length >> 16);
                head[8] = (byte) (length >> 8);
                head[9] = (byte) length;
            }
        }
        return head;
    }

    /// A whole frame of a client.
    ///
    /// @param first its first byte: marks and kind
    /// @param mask by chance, another for each frame
    public static byte[] masked(int first, byte[] payload, int mask) {
        var frame = write(first, payload.length, MASK_BYTES + payload.length);
        int at = size(payload.length);
        frame[1] |= (byte) MASKED;
        for (int shift = 24; shift >= 0; shift -= 8) {
            frame[at++] = (byte) (mask >>> shift);
        }
        System.arraycopy(payload, 0, frame, at, payload.length);
        mask(frame, at, frame.length, mask);
        return frame;
    }

    /// What a Close frame says.
    ///
    /// @param reason ASCII
    public static byte[] closing(int code, String reason) {
        if (code == CloseCode.NONE) {
            return new byte[0];
        }
        int length = Math.min(reason.length(), CLOSE_REASON_MAX);
        var payload = new byte[2 + length];
        payload[0] = (byte) (code >> 8);
        payload[1] = (byte) code;
        for (int i = 0; i < length; i++) {
            payload[2 + i] = (byte) reason.charAt(i);
        }
        return payload;
    }

    /// Masks or unmasks `bytes[from, to)`.
    ///
    /// @param key the mask as it stands at the first of them
    static void mask(byte[] bytes, int from, int to, int key) {
        long wide = ((long) key << 32) | (key & 0xffff_ffffL);
        int i = from;
        for (; to - i >= Long.BYTES; i += Long.BYTES) {
            LONGS.set(bytes, i, (long) LONGS.get(bytes, i) ^ wide);
        }
        for (int shift = 24; i < to; i++, shift -= 8) {
            bytes[i] ^= (byte) (key >>> (shift & 31));
        }
    }

    private static int size(int length) {
        return length < 126 ? 2 : length <= 0xffff ? 4 : 10;
    }
}
