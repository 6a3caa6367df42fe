package dev.grapnel.outbound;

import dev.grapnel.outbound.Pace.Phase;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/// An open connection, on which every wait is limited. Its streams throw nothing but [OutboundException].
///
/// One thread talks, until [#part] lets one read and another write; any other may end it through the [Cancellation].
public final class Line implements AutoCloseable {
    private final Socket plain;
    private final String machine;
    private final Slots.Slot slot;
    private final Watch watch;
    /// Over what goes; the same until one reads and another writes.
    private volatile Watch sending;
    private final AtomicLong received = new AtomicLong();
    private final AtomicLong sent = new AtomicLong();
    private final InputStream input;
    private final OutputStream output;

    /// @param spoken the same connection, or TLS on top of it
    Line(Socket plain, Socket spoken, String machine, Slots.Slot slot, Watch watch) throws IOException {
        this.plain = plain;
        this.machine = machine;
        this.slot = slot;
        this.watch = watch;
        this.sending = watch;
        this.input = new WatchedInput(spoken.getInputStream());
        this.output = new WatchedOutput(spoken.getOutputStream());
        watch.enter(Phase.SEND);
    }

    /// Whom it leads to, however that is called elsewhere: an address, or the name of an onion service.
    public String machine() {
        return machine;
    }

    /// What comes. It is not buffered.
    public InputStream input() {
        return input;
    }

    /// What goes. It is not buffered.
    public OutputStream output() {
        return output;
    }

    /// Everything was sent: from now on the limit for the first byte holds.
    public void awaitFirstByte() {
        watch.enter(Phase.FIRST_BYTE);
    }

    /// What was asked for has begun: from now on the limits for silence and for the rate hold.
    public void begun() {
        watch.enter(Phase.RECEIVE);
    }

    /// Another limit of silence from now on.
    public void allowSilence(Duration limit) {
        watch.allowSilence(limit);
    }

    /// What was asked for has begun, and from now on one thread reads and one at a time writes: waiting in one
    /// direction says nothing about the other, and what goes is no sign of life of the peer.
    public void part() {
        begun();
        sending = watch.beside();
        sending.enter(Phase.SEND);
    }

    /// Bytes that came, without those of TLS.
    public long bytesReceived() {
        return received.get();
    }

    /// Bytes that went, without those of TLS.
    public long bytesSent() {
        return sent.get();
    }

    /// Hangs up and gives the place back, at once: no farewell is sent that a peer could keep waiting.
    @Override
    public void close() {
        watch.close();
        sending.close();
        abort(plain);
        slot.close();
    }

    static void abort(Socket socket) {
        try {
            socket.close();
        } catch (IOException _) {
            // It is gone either way, and others who are to be stopped with it must not be kept from that.
        }
    }

    private final class WatchedInput extends InputStream {
        private final InputStream raw;

        WatchedInput(InputStream raw) {
            this.raw = raw;
        }

        @Override
        public int read() throws IOException {
            var one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] buffer, int offset, int length) throws IOException {
            int count = 0;
            watch.beginWait();
            try {
                count = raw.read(buffer, offset, length);
            } catch (IOException e) {
                throw watch.explain(e);
            } finally {
                watch.endWait(Math.max(0, count));
            }
            if (count < 0) {
                watch.check(); // a socket closed by an alarm may look like one closed by the peer
            } else {
                received.addAndGet(count);
            }
            return count;
        }
    }

    private final class WatchedOutput extends OutputStream {
        /// So much goes at once that the limit of silence sees progress.
        private static final int PIECE = 1 << 16;

        private final OutputStream raw;

        WatchedOutput(OutputStream raw) {
            this.raw = raw;
        }

        @Override
        public void write(int value) throws IOException {
            write(new byte[] {(byte) value}, 0, 1);
        }

        @Override
        public void write(byte[] buffer, int offset, int length) throws IOException {
            int end = offset + length;
            for (int at = offset; at < end; at += PIECE) {
                writePiece(buffer, at, Math.min(PIECE, end - at));
            }
        }

        private void writePiece(byte[] buffer, int offset, int length) throws IOException {
            int done = 0;
            var mine = sending;
            mine.beginWait();
            try {
                raw.write(buffer, offset, length);
                done = length;
            } catch (IOException e) {
                throw watch.explain(e);
            } finally {
                mine.endWait(done);
            }
            sent.addAndGet(length);
        }
    }
}
