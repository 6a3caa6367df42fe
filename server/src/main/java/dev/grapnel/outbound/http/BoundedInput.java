package dev.grapnel.outbound.http;

import dev.grapnel.outbound.Failure;
import dev.grapnel.outbound.OutboundException;
import java.io.IOException;
import java.io.InputStream;

/// A stream that is not read beyond a number of bytes.
final class BoundedInput extends InputStream {
    private final InputStream in;
    private final long max;
    private long seen;

    BoundedInput(InputStream in, long max) {
        this.in = in;
        this.max = max;
    }

    @Override
    public int read() throws IOException {
        var one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
        int count = in.read(buffer, offset, length);
        seen += Math.max(0, count);
        if (seen > max) {
            throw new OutboundException(new Failure.TooLarge("the answer", max));
        }
        return count;
    }
}
