package dev.grapnel.bench.load.wire;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Takes frames out of bytes as they come, and puts messages together. A message that came in one piece is
/// handed over where it lies.
final class FrameReader {
    /// Larger ones no relay sends, so they are a mistake.
    static final int FRAME_MAX = 256 << 20;

    private static final int HEADER_MIN = 2;
    private static final int FINAL = 0x80;
    private static final int COMPRESSED = 0x40;
    private static final int RESERVED = 0x30;
    private static final int OPCODE = 0x0f;
    private static final int MASKED = 0x80;
    private static final int LENGTH = 0x7f;
    private static final int CONTROL = 0x08;

    private final Side from;
    private final @Nullable Inflation inflation;
    private final Sink sink;
    private byte[] pieces = new byte[0];
    private int pieced;
    private boolean open;
    private boolean openCompressed;

    /// @param from who writes what is read here
    FrameReader(Side from, @Nullable Inflation inflation, Sink sink) {
        this.from = from;
        this.inflation = inflation;
        this.sink = sink;
    }

    /// What frames become. The array is only lent.
    interface Sink {
        void message(byte[] in, int from, int to) throws IOException;

        void ping(byte[] in, int from, int to) throws IOException;

        void closing(String reason) throws IOException;
    }

    /// Reads all frames that are whole.
    ///
    /// @return where the first incomplete frame begins
    int read(byte[] in, int start, int end) throws IOException {
        int at = start;
        while (true) {
            int headerEnd = headerEnd(in, at, end);
            if (headerEnd > end) {
                return at;
            }
            long length = length(in, at);
            if (length < 0 || length > FRAME_MAX) {
                throw new IOException("a frame of " + length + " bytes");
            }
            if (length > end - headerEnd) {
                return at;
            }
            int frameEnd = headerEnd + (int) length;
            if (from == Side.CLIENT) {
                Mask.apply((int) number(in, headerEnd - Integer.BYTES, Integer.BYTES), in, headerEnd, frameEnd);
            }
            frame(in[at], in, headerEnd, frameEnd);
            at = frameEnd;
        }
    }

    /// The end of the header, or something behind the end if it is not all there.
    private int headerEnd(byte[] in, int at, int end) throws IOException {
        if (end - at < HEADER_MIN) {
            return end + 1;
        }
        boolean masked = (in[at + 1] & MASKED) != 0;
        if (masked != (from == Side.CLIENT)) {
            throw new IOException(masked ? "a masked frame" : "an unmasked frame");
        }
        return at + HEADER_MIN + lengthBytes(in, at) + (masked ? Integer.BYTES : 0);
    }

    private static int lengthBytes(byte[] in, int at) {
        return switch (in[at + 1] & LENGTH) {
            case 126 -> Short.BYTES;
            case 127 -> Long.BYTES;
            default -> 0;
        };
    }

    private static long length(byte[] in, int at) {
        int bytes = lengthBytes(in, at);
        return bytes == 0 ? in[at + 1] & LENGTH : number(in, at + HEADER_MIN, bytes);
    }

    private static long number(byte[] in, int at, int width) {
        long value = 0;
        for (int i = 0; i < width; i++) {
            value = (value << Byte.SIZE) | (in[at + i] & 0xff);
        }
        return value;
    }

    private void frame(int first, byte[] in, int start, int end) throws IOException {
        if ((first & RESERVED) != 0) {
            throw new IOException("a frame with reserved bits");
        }
        boolean last = (first & FINAL) != 0;
        int opcode = first & OPCODE;
        if ((opcode & CONTROL) != 0) {
            control(opcode, in, start, end);
            return;
        }
        if (opcode > Opcode.BINARY) {
            throw new IOException("a frame with opcode " + opcode);
        }
        if ((opcode == Opcode.CONTINUATION) != open) {
            throw new IOException(open ? "a new message inside another" : "a continuation of nothing");
        }
        boolean compressed = open ? openCompressed : (first & COMPRESSED) != 0;
        if (last && !open) {
            deliver(compressed, in, start, end);
            return;
        }
        append(in, start, end);
        open = !last;
        openCompressed = compressed;
        if (last) {
            int size = pieced;
            pieced = 0;
            deliver(compressed, pieces, 0, size);
            pieces = new byte[0];
        }
    }

    private void control(int opcode, byte[] in, int start, int end) throws IOException {
        switch (opcode) {
            case Opcode.PING -> sink.ping(in, start, end);
            case Opcode.CLOSE -> sink.closing(closeReason(in, start, end));
            case Opcode.PONG -> {
                /* we never asked */
            }
            default -> throw new IOException("a frame with opcode " + opcode);
        }
    }

    private static String closeReason(byte[] in, int start, int end) {
        if (end - start < Short.BYTES) {
            return "closed";
        }
        int text = start + Short.BYTES;
        return ("closed with " + number(in, start, Short.BYTES) + " "
                        + new String(in, text, end - text, StandardCharsets.UTF_8))
                .strip();
    }

    private void append(byte[] in, int start, int end) throws IOException {
        if (pieced + (end - start) > FRAME_MAX) {
            throw new IOException("a message of more than " + FRAME_MAX + " bytes");
        }
        if (pieced + (end - start) > pieces.length) {
            pieces = Arrays.copyOf(pieces, Math.max(pieced + (end - start), 2 * pieces.length));
        }
        System.arraycopy(in, start, pieces, pieced, end - start);
        pieced += end - start;
    }

    private void deliver(boolean compressed, byte[] in, int start, int end) throws IOException {
        if (!compressed) {
            sink.message(in, start, end);
        } else if (inflation == null) {
            throw new IOException("a compressed message, which was not agreed on");
        } else {
            int length = inflation.inflate(in, start, end);
            sink.message(inflation.bytes(), 0, length);
        }
    }
}
