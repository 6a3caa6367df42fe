package dev.grapnel.git;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/// A stream of which somebody watches what comes: every byte passes the one method that is to be overridden.
public abstract class WatchedInput extends FilterInputStream {
    protected WatchedInput(InputStream in) {
        super(in);
    }

    @Override
    public final int read() throws IOException {
        var one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public abstract int read(byte[] bytes, int from, int length) throws IOException;
}
