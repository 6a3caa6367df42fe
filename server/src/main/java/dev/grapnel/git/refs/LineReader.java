package dev.grapnel.git.refs;

import java.io.IOException;
import java.io.InputStream;

/// Lines of a file as bytes: one buffer for all of them.
final class LineReader {
    private final InputStream in;
    private final byte[] buffer;
    private int start;
    private int end = -1;
    private int filled;

    /// @param lineMax longest line that is read
    LineReader(InputStream in, int lineMax) {
        this.in = in;
        this.buffer = new byte[Math.max(lineMax + 1, 1 << 16)];
    }

    /// Goes to the next line; false at the end of the file.
    ///
    /// @throws IOException also if a line is too long, or the last one does not end
    boolean next() throws IOException {
        start = end + 1;
        int from = start;
        while (true) {
            for (int i = from; i < filled; i++) {
                if (buffer[i] == '\n') {
                    end = i;
                    return true;
                }
            }
            int rest = filled - start;
            System.arraycopy(buffer, start, buffer, 0, rest);
            start = 0;
            filled = rest;
            from = rest;
            if (filled == buffer.length) {
                throw new IOException("the line is too long");
            }
            int read = in.read(buffer, filled, buffer.length - filled);
            if (read < 0) {
                if (rest > 0) {
                    throw new IOException("the line has no end");
                }
                end = -1;
                filled = 0;
                return false;
            }
            filled += read;
        }
    }

    /// Where bytes of the line lie.
    byte[] bytes() {
        return buffer;
    }

    /// Of its first byte.
    int start() {
        return start;
    }

    /// Behind its last byte.
    int end() {
        return end;
    }
}
