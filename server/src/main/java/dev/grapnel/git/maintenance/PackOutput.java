package dev.grapnel.git.maintenance;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.zip.CRC32;
import org.eclipse.jgit.lib.Constants;

/// Writes a file that ends in a hash of all before it: a pack, or an index. Also sums up each entry.
final class PackOutput extends OutputStream {
    private final OutputStream file;
    private final Pace pace;
    private final MessageDigest hash = Constants.newMessageDigest();
    private final CRC32 entry = new CRC32();
    private final ByteBuffer buffer = ByteBuffer.allocate(1 << 16);
    private long written;

    PackOutput(OutputStream file, Pace pace) {
        this.file = file;
        this.pace = pace;
    }

    /// Where the next byte goes.
    long position() {
        return written;
    }

    /// From here on is the next entry.
    void beginEntry() {
        entry.reset();
    }

    /// The checksum of the entry so far.
    int entryChecksum() {
        return (int) entry.getValue();
    }

    @Override
    public void write(int value) throws IOException {
        write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
        entry.update(bytes, from, length);
        hash.update(bytes, from, length);
        written += length;
        int at = from;
        int left = length;
        while (left > 0) {
            int part = Math.min(left, buffer.remaining());
            buffer.put(bytes, at, part);
            at += part;
            left -= part;
            if (!buffer.hasRemaining()) {
                flush();
            }
        }
    }

    void writeInt(int value) throws IOException {
        write(new byte[] {(byte) (value >>> 24), (byte) (value >>> 16), (byte) (value >>> 8), (byte) value}, 0, 4);
    }

    void writeLong(long value) throws IOException {
        writeInt((int) (value >>> 32));
        writeInt((int) value);
    }

    @Override
    public void flush() throws IOException {
        buffer.flip();
        pace.spend(buffer.remaining());
        file.write(buffer.array(), 0, buffer.remaining());
        buffer.clear();
    }

    /// Writes the hash of everything, which is the end.
    void finish() throws IOException {
        var sum = hash.digest();
        write(sum, 0, sum.length);
        flush();
    }
}
