package dev.grapnel.websocket;

import java.util.Arrays;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/// Inflates messages (RFC 7692, without context takeover). Native contexts are few and shared: each has tens of
/// kilobytes.
public final class Inflation {
    private static final byte[] TAIL = {0, 0, (byte) 0xff, (byte) 0xff};
    private static final int FIRST_BYTES = 1 << 10;
    private static final Incoming BUSY = new Incoming.Fault(CloseCode.TRY_LATER, "busy, try again later");

    private final ArrayBlockingQueue<Inflater> idle;

    /// @param idleMax contexts that are kept for the next message
    public Inflation(int idleMax) {
        idle = new ArrayBlockingQueue<>(idleMax);
    }

    /// Asked before a message takes more memory.
    @FunctionalInterface
    public interface Room {
        /// Whether it may grow.
        boolean grow(int from, int to);
    }

    /// Inflates `in[0, length)` to at most so many bytes.
    public Incoming inflate(byte[] in, int length, int bytesMax, Room room) {
        var pooled = idle.poll();
        var inflater = pooled == null ? new Inflater(true) : pooled;
        try {
            return inflate(inflater, in, length, bytesMax, room);
        } catch (DataFormatException _) {
            return new Incoming.Fault(CloseCode.BAD_TEXT, "compressed data cannot be read");
        } finally {
            inflater.reset();
            if (!idle.offer(inflater)) {
                inflater.end();
            }
        }
    }

    private static Incoming inflate(Inflater inflater, byte[] in, int length, int bytesMax, Room room)
            throws DataFormatException {
        int first = Math.min(bytesMax, Math.max(FIRST_BYTES, Math.multiplyExact(4, Math.min(length, 1 << 20))));
        if (!room.grow(0, first)) {
            return BUSY;
        }
        var out = new byte[first];
        int size = 0;
        boolean tail = false;
        inflater.setInput(in, 0, length);
        while (true) {
            if (size == out.length) {
                if (size == bytesMax && !isExhausted(inflater, tail)) {
                    return new Incoming.Fault(CloseCode.TOO_BIG, "message is too long");
                }
                if (size < bytesMax) {
                    int more = (int) Math.min(bytesMax, size * 2L);
                    if (!room.grow(size, more)) {
                        return BUSY;
                    }
                    out = Arrays.copyOf(out, more);
                }
            }
            int count = inflater.inflate(out, size, out.length - size);
            size += count;
            if (inflater.needsDictionary()) {
                throw new DataFormatException();
            }
            if (inflater.finished()) { // a last block: what follows begins anew
                int rest = inflater.getRemaining();
                inflater.reset();
                if (tail) {
                    return new Incoming.Text(out, size);
                }
                inflater.setInput(in, length - rest, rest);
            }
            if (count == 0 && inflater.needsInput()) {
                if (tail) {
                    return new Incoming.Text(out, size);
                }
                tail = true;
                inflater.setInput(TAIL);
            }
        }
    }

    /// Whether nothing more can come, though there is no room to see it: one more byte is tried.
    private static boolean isExhausted(Inflater inflater, boolean tail) throws DataFormatException {
        var probe = new byte[1];
        if (inflater.inflate(probe) > 0) {
            return false;
        }
        if (!tail && inflater.needsInput()) {
            return true; // the tail is an empty block
        }
        return inflater.needsInput() || inflater.finished();
    }
}
