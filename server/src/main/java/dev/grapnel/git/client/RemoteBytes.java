package dev.grapnel.git.client;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.atomic.AtomicLong;

/// What a server sends: counted, and whatever fails in here is the connection's fault.
final class RemoteBytes extends FilterInputStream {
    private final AtomicLong counter;
    private final Most most;
    private long got;

    /// How much may come.
    ///
    /// @param what it is, for the operator
    record Most(String what, long bytes) {}

    /// @param counter of all that comes in a visit
    /// @param most of this answer
    RemoteBytes(InputStream in, AtomicLong counter, Most most) {
        super(in);
        this.counter = counter;
        this.most = most;
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
            if (got > most.bytes()) {
                throw new VisitFailed(new Fault.Hostile(most.what() + " exceeds " + most.bytes() + " bytes"));
            }
        }
        return count;
    }

    @Override
    public void close() {
        // the answer is closed by whoever asked for it
    }
}
