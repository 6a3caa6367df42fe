package dev.grapnel.outbound.http;

import java.io.IOException;
import java.io.InputStream;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/// Takes one gzip stream apart while it comes (RFC 1952).
///
/// The JDK's own reader calls itself once for each of several streams behind each other, so that a peer who sends
/// many empty ones exhausts the stack. Here there is one, and nothing behind it.
final class Gunzip extends InputStream {
    private static final int BUFFER = 8 << 10;
    private static final int FLAG_CRC = 2;
    private static final int FLAG_EXTRA = 4;
    private static final int FLAG_NAME = 8;
    private static final int FLAG_COMMENT = 16;
    private static final int RESERVED_FLAGS = 0xe0;

    /// Bytes of a name or a comment, neither of which anybody needs.
    private static final int TEXT_MAX = 1 << 10;

    private final InputStream in;
    private final Inflater inflater = new Inflater(true);
    private final CRC32 sum = new CRC32();
    private final byte[] buffer = new byte[BUFFER];
    private int at;
    private int end;
    private boolean isBegun;
    private boolean isOver;

    Gunzip(InputStream in) {
        this.in = in;
    }

    @Override
    public int read() throws IOException {
        var one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        if (!isBegun) {
            readHeader();
            isBegun = true;
        }
        while (!isOver) {
            int count = inflate(target, offset, length);
            if (count > 0) {
                sum.update(target, offset, count);
                return count;
            }
            if (inflater.finished()) {
                end();
            } else if (inflater.needsDictionary()) {
                throw malformed();
            } else if (inflater.needsInput()) {
                if (at == end) {
                    fill();
                }
                inflater.setInput(buffer, at, end - at);
                at = end;
            }
        }
        return -1;
    }

    private int inflate(byte[] target, int offset, int length) throws IOException {
        try {
            return inflater.inflate(target, offset, length);
        } catch (DataFormatException e) {
            throw (IOException) malformed().initCause(e);
        }
    }

    private void end() throws IOException {
        isOver = true;
        at = end - inflater.getRemaining();
        long crc = readInt();
        long size = readInt();
        if (crc != sum.getValue() || size != (inflater.getBytesWritten() & 0xffffffffL)) {
            throw malformed();
        }
        if (at < end || in.read(buffer, 0, 1) >= 0) {
            throw Head.broken("there is something behind the compressed answer");
        }
    }

    private void readHeader() throws IOException {
        if (next() != 0x1f || next() != 0x8b || next() != 8) {
            throw malformed();
        }
        int flags = next();
        if ((flags & RESERVED_FLAGS) != 0) {
            throw malformed();
        }
        skip(6);
        if ((flags & FLAG_EXTRA) != 0) {
            skip(next() | next() << 8);
        }
        if ((flags & FLAG_NAME) != 0) {
            skipText();
        }
        if ((flags & FLAG_COMMENT) != 0) {
            skipText();
        }
        if ((flags & FLAG_CRC) != 0) {
            skip(2);
        }
    }

    private void skip(int count) throws IOException {
        for (int i = 0; i < count; i++) {
            next();
        }
    }

    private void skipText() throws IOException {
        for (int i = 0; i < TEXT_MAX; i++) {
            if (next() == 0) {
                return;
            }
        }
        throw malformed();
    }

    private long readInt() throws IOException {
        long value = 0;
        for (int shift = 0; shift < 32; shift += 8) {
            value |= (long) next() << shift;
        }
        return value;
    }

    private int next() throws IOException {
        if (at == end) {
            fill();
        }
        return buffer[at++] & 0xff;
    }

    private void fill() throws IOException {
        int count = in.read(buffer, 0, buffer.length);
        if (count < 0) {
            throw malformed();
        }
        at = 0;
        end = count;
    }

    private static IOException malformed() {
        return Head.broken("the compressed answer is damaged");
    }

    @Override
    public void close() {
        inflater.end();
    }
}
