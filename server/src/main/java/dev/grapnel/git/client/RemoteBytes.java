package dev.grapnel.git.client;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.atomic.AtomicLong;

/// What a server sends: counted, and whatever fails in here is the connection's fault.
final class RemoteBytes extends FilterInputStream {
    private final AtomicLong counter;
    private final long max;
    private long got;

    /// @param counter of all that comes in a visit
    /// @param max of this answer
    RemoteBytes(InputStream in, AtomicLong counter, long max) {
        super(in);
        this.counter = counter;
        this.max = max;
    }

    @Override
    public int read() throws IOException {
        var one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int from, int length) throws IOException {
        int count;
        try {
            count = in.read(bytes, from, length);
        } catch (IOException e) {
            throw new VisitFailed(new Fault.Disconnected(e));
        }
        if (count > 0) {
            counter.addAndGet(count);
            got += count;
            if (got > max) {
                throw new VisitFailed(new Fault.Hostile("what it says about its refs exceeds " + max + " bytes"));
            }
        }
        return count;
    }

    @Override
    public void close() {
        // the answer is closed by whoever asked for it
    }
}
