package dev.grapnel.bench.load.wire;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.util.Arrays;

/// Frames that wait to be written. Grows with what is put into it; who sends keeps to a window.
public final class Outbox {
    private static final int HEADER_MAX = 14;
    private static final int KEPT_MAX = 8 << 20;

    /// A channel first copies all it is offered, even if it can write little of it.
    private static final int WRITE_MAX = 256 << 10;

    private static final int SHORT = 125;
    private static final int MEDIUM = 0xffff;
    private static final int FINAL = 0x80;
    private static final int MASKED = 0x80;

    private final Side side;
    private final int key;
    private byte[] bytes = new byte[256];
    private ByteBuffer view = ByteBuffer.wrap(bytes);
    private int start;
    private int end;
    private int payload;

    /// @param key masks what a client sends; one for the whole connection is as good as any against a relay
    Outbox(Side side, int key) {
        this.side = side;
        this.key = key;
    }

    boolean isEmpty() {
        return start == end;
    }

    /// Bytes that wait.
    int size() {
        return end - start;
    }

    /// Puts bytes that are no frame.
    void raw(byte[] text) {
        reserve(text.length);
        put(text);
    }

    /// Begins a frame of exactly so many bytes, to be followed by as many with [#put] and then [#seal].
    void begin(int opcode, int length) {
        reserve(HEADER_MAX + length);
        bytes[end++] = (byte) (FINAL | opcode);
        int masked = side == Side.CLIENT ? MASKED : 0;
        if (length <= SHORT) {
            bytes[end++] = (byte) (masked | length);
        } else if (length <= MEDIUM) {
            bytes[end++] = (byte) (masked | 126);
            number(length, Short.BYTES);
        } else {
            bytes[end++] = (byte) (masked | 127);
            number(length, Long.BYTES);
        }
        if (side == Side.CLIENT) {
            number(key, Integer.BYTES);
        }
        payload = end;
    }

    /// Adds to the frame that was begun.
    void put(byte[] part) {
        System.arraycopy(part, 0, bytes, end, part.length);
        end += part.length;
    }

    /// Lets somebody write the next bytes of the frame that was begun.
    void put(int length, Part part) {
        part.copyTo(bytes, end);
        end += length;
    }

    /// Ends the frame.
    void seal() {
        if (side == Side.CLIENT) {
            Mask.apply(key, bytes, payload, end);
        }
    }

    /// Writes as much as the channel takes.
    ///
    /// @return how much that was
    int writeTo(WritableByteChannel channel) throws IOException {
        int before = start;
        int offered;
        int written;
        do {
            offered = Math.min(WRITE_MAX, end - start);
            written = channel.write(view.limit(start + offered).position(start));
            start += written;
        } while (written == offered && start < end);
        int all = start - before;
        if (start == end) {
            start = 0;
            end = 0;
            if (bytes.length > KEPT_MAX) {
                replace(new byte[KEPT_MAX]);
            }
        }
        return all;
    }

    private void number(long value, int width) {
        for (int shift = (width - 1) * Byte.SIZE; shift >= 0; shift -= Byte.SIZE) {
            bytes[end++] = (byte) (value >>> shift);
        }
    }

    private void reserve(int more) {
        if (end + more <= bytes.length) {
            return;
        }
        System.arraycopy(bytes, start, bytes, 0, end - start);
        end -= start;
        start = 0;
        if (end + more > bytes.length) {
            replace(Arrays.copyOf(bytes, Math.max(end + more, 2 * bytes.length)));
        }
    }

    private void replace(byte[] larger) {
        bytes = larger;
        view = ByteBuffer.wrap(larger);
    }

    /// Something that can be copied.
    public interface Part {
        void copyTo(byte[] target, int at);
    }
}
