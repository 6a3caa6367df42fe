package dev.grapnel.bench.load.wire;

import java.io.IOException;
import java.util.Arrays;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/// Unpacks the messages of a connection with permessage-deflate (RFC 7692).
final class Inflation implements AutoCloseable {
    /// What the sender left out at the end of each message.
    private static final byte[] TAIL = {0, 0, (byte) 0xff, (byte) 0xff};

    private final Inflater inflater = new Inflater(true);
    private final boolean forgets;
    private byte[] bytes = new byte[4096];

    /// @param forgets whether every message begins anew
    Inflation(boolean forgets) {
        this.forgets = forgets;
    }

    /// Unpacks one message into [#bytes].
    ///
    /// @return its length
    int inflate(byte[] in, int from, int to) throws IOException {
        try {
            inflater.setInput(in, from, to - from);
            int length = drain(0);
            inflater.setInput(TAIL);
            length = drain(length);
            if (forgets || inflater.finished()) {
                inflater.reset();
            }
            return length;
        } catch (DataFormatException e) {
            throw new IOException("a compressed message that cannot be unpacked", e);
        }
    }

    /// Where the last message lies.
    byte[] bytes() {
        return bytes;
    }

    private int drain(int from) throws DataFormatException, IOException {
        int at = from;
        while (true) {
            if (at == bytes.length) {
                if (at >= FrameReader.FRAME_MAX) {
                    throw new IOException("a compressed message of more than " + FrameReader.FRAME_MAX + " bytes");
                }
                bytes = Arrays.copyOf(bytes, 2 * bytes.length);
            }
            int more = inflater.inflate(bytes, at, bytes.length - at);
            at += more;
            if (more == 0 && at < bytes.length) {
                return at;
            }
        }
    }

    @Override
    public void close() {
        inflater.end();
    }
}
