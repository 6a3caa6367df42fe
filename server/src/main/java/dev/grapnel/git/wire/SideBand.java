package dev.grapnel.git.wire;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/// Three bands over one stream: data, words for the person at the other end, and a last error.
///
/// Several threads may write: the one that makes the data, and one that tells the client that it is still
/// being worked for. Each packet goes out whole.
public final class SideBand {
    /// What was asked for.
    public static final int DATA = 1;
    /// For people.
    public static final int PROGRESS = 2;
    /// Ends everything.
    public static final int ERROR = 3;

    private static final int SMALL_MAX = 1000;

    private final OutputStream stream;
    private final PacketWriter packets;
    private final int payloadMax;
    private final LongSupplier nanoTime;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile long writtenAt;
    private boolean ended;

    /// @param large `side-band-64k` rather than `side-band`
    /// @param nanoTime a clock that only runs forward
    SideBand(OutputStream stream, boolean large, LongSupplier nanoTime) {
        this.stream = stream;
        this.nanoTime = nanoTime;
        this.packets = new PacketWriter(stream);
        this.payloadMax = (large ? PacketReader.PACKET_MAX : SMALL_MAX) - 5;
        this.writtenAt = nanoTime.getAsLong();
    }

    /// Bytes of a band, in as many packets as they need.
    public void write(int band, byte[] bytes, int from, int length) throws IOException {
        lock.lock();
        try {
            for (int done = 0; done < length; done += payloadMax) {
                packets.band(band, bytes, from + done, Math.min(payloadMax, length - done));
            }
            writtenAt = nanoTime.getAsLong();
        } finally {
            lock.unlock();
        }
    }

    /// Words for the person, sent at once.
    public void say(String words) throws IOException {
        var bytes = words.getBytes(StandardCharsets.UTF_8);
        lock.lock();
        try {
            write(PROGRESS, bytes, 0, bytes.length);
            stream.flush();
        } finally {
            lock.unlock();
        }
    }

    /// An empty packet, which means that we are still here, unless something was sent since.
    ///
    /// @param silence nanoseconds without any packet after which one is due
    public void keepAlive(long silence) throws IOException {
        if (nanoTime.getAsLong() - writtenAt >= silence && lock.tryLock()) {
            try {
                if (!ended) {
                    packets.band(PROGRESS, new byte[0], 0, 0);
                    stream.flush();
                    writtenAt = nanoTime.getAsLong();
                }
            } finally {
                lock.unlock();
            }
        }
    }

    /// The end of all bands. It goes out when the stream is flushed or closed.
    public void end() throws IOException {
        lock.lock();
        try {
            ended = true;
            packets.flush();
        } finally {
            lock.unlock();
        }
    }

    /// The data band as a stream that fills whole packets. The last one is sent when it is closed; whoever
    /// flushes it before that, as the git library does after twelve bytes, changes nothing.
    public OutputStream data() {
        return new Data();
    }

    private final class Data extends OutputStream {
        private final byte[] buffer = new byte[payloadMax];
        private int filled;

        @Override
        public void write(int b) throws IOException {
            if (filled == buffer.length) {
                send();
            }
            buffer[filled++] = (byte) b;
        }

        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
            int done = 0;
            while (done < length) {
                if (filled == 0 && length - done >= buffer.length) {
                    SideBand.this.write(DATA, bytes, from + done, buffer.length);
                    done += buffer.length;
                    continue;
                }
                int part = Math.min(buffer.length - filled, length - done);
                System.arraycopy(bytes, from + done, buffer, filled, part);
                filled += part;
                done += part;
                if (filled == buffer.length) {
                    send();
                }
            }
        }

        private void send() throws IOException {
            if (filled > 0) {
                SideBand.this.write(DATA, buffer, 0, filled);
                filled = 0;
            }
        }

        @Override
        public void flush() {
            // a packet goes out when it is full
        }

        @Override
        public void close() throws IOException {
            send();
        }
    }
}
