package dev.grapnel.server.git;

import java.io.IOException;
import java.io.InputStream;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.eclipse.jetty.http.HttpStatus;

/// Unpacks exactly one gzip (RFC 1952): it ends only if its checksum and its length are right, and nothing
/// follows. The JDK's own stream takes whatever follows for nothing, or for another gzip, any number of times.
final class Gunzip extends InputStream {
    private static final int BUFFER = 64 * 1024;
    private static final int MAGIC = 0x8b1f;
    private static final int DEFLATE = 8;
    private static final int TIME_SYSTEM_BYTES = 6;
    private static final int HEADER_CHECKSUM = 1 << 1;
    private static final int EXTRA = 1 << 2;
    private static final int NAME = 1 << 3;
    private static final int COMMENT = 1 << 4;

    private final InputStream packed;
    private final Inflater inflater = new Inflater(true);
    private final CRC32 checksum = new CRC32();
    private final byte[] buffer = new byte[BUFFER];
    private int position;
    private int limit;
    private boolean begun;
    private boolean ended;

    Gunzip(InputStream packed) {
        this.packed = packed;
    }

    @Override
    public int read() throws IOException {
        var one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int from, int length) throws IOException {
        if (ended) {
            return -1;
        }
        if (!begun) {
            readHeader();
            begun = true;
        }
        while (!inflater.finished()) {
            int got = inflate(into, from, length);
            if (got > 0 || length == 0) {
                checksum.update(into, from, got);
                return got;
            }
        }
        readTrailer();
        ended = true;
        inflater.end();
        return -1;
    }

    private int inflate(byte[] into, int from, int length) throws IOException {
        try {
            int got = inflater.inflate(into, from, length);
            if (inflater.needsDictionary()) {
                throw broken();
            }
            if (got == 0 && inflater.needsInput()) {
                fill();
                inflater.setInput(buffer, 0, limit);
                position = limit; // the inflater has them; what it leaves is told when it has finished
            }
            return got;
        } catch (DataFormatException _) {
            throw broken();
        }
    }

    private void readHeader() throws IOException {
        if (readShort() != MAGIC || readByte() != DEFLATE) {
            throw broken();
        }
        int flags = readByte();
        skipBytes(TIME_SYSTEM_BYTES);
        if ((flags & EXTRA) != 0) {
            skipBytes(readShort());
        }
        if ((flags & NAME) != 0) {
            skipText();
        }
        if ((flags & COMMENT) != 0) {
            skipText();
        }
        if ((flags & HEADER_CHECKSUM) != 0) {
            skipBytes(Short.BYTES);
        }
        inflater.setInput(buffer, position, limit - position);
        position = limit;
    }

    private void readTrailer() throws IOException {
        position = limit - inflater.getRemaining();
        long sum = readShort() | (long) readShort() << Short.SIZE;
        long length = readShort() | (long) readShort() << Short.SIZE;
        if (sum != checksum.getValue() || length != (inflater.getBytesWritten() & 0xffff_ffffL)) {
            throw broken();
        }
        if (position < limit || packed.read(buffer) >= 0) {
            throw new BodyRefused(HttpStatus.BAD_REQUEST_400, "something follows the packed body");
        }
    }

    private void skipBytes(int count) throws IOException {
        for (int i = 0; i < count; i++) {
            readByte();
        }
    }

    private void skipText() throws IOException {
        while (readByte() != 0) {
            // its end is a zero, and nobody here needs it
        }
    }

    private int readShort() throws IOException {
        int low = readByte();
        return low | readByte() << Byte.SIZE;
    }

    private int readByte() throws IOException {
        if (position == limit) {
            fill();
        }
        return buffer[position++] & 0xff;
    }

    private void fill() throws IOException {
        int got = packed.read(buffer);
        if (got < 0) {
            throw broken();
        }
        position = 0;
        limit = got;
    }

    private static BodyRefused broken() {
        return new BodyRefused(HttpStatus.BAD_REQUEST_400, "the body is no whole gzip");
    }
}
