package dev.grapnel.git.pack;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.security.MessageDigest;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/// The bytes of a pack as they come: counted, digested, and written to the file once, while objects are
/// inflated out of them. Every limit is checked before the byte beyond it costs anything.
final class PackStream {
    /// Takes what an object inflates to. An object of up to [PackStream#PIECE] bytes comes in one piece.
    interface Sink {
        void accept(byte[] bytes, int length) throws IOException, PackRefused;
    }

    /// Most bytes of one piece.
    static final int PIECE = 1 << 16;

    /// Of the head of a pack.
    static final int HEAD = 12;

    private static final String WRONG_SIZE = "an object does not inflate to the size it announces";
    private static final int BUFFER = 1 << 15;
    private static final int CHECKSUM = 20;
    private static final int MAGIC = 0x5041434b;
    private static final int SIZE_BITS_MAX = 60;

    private final InputStream in;
    private final FileChannel file;
    private final PackLimits limits;
    private final Inflater inflater;
    private final MessageDigest digest = Checksum.sha1();
    private final CRC32 crc = new CRC32();
    private final byte[] buffer = new byte[BUFFER];
    private final byte[] piece = new byte[PIECE + 1];
    private int at;
    private int end;
    private int digested;
    private int checked;
    private long before;
    private long inflated;

    private int type;
    private long size;

    PackStream(InputStream in, FileChannel file, PackLimits limits, Inflater inflater) {
        this.in = in;
        this.file = file;
        this.limits = limits;
        this.inflater = inflater;
    }

    /// Bytes of the pack read so far.
    long position() {
        return before + at;
    }

    /// Reads the head of the pack: how many objects it announces.
    int readHead() throws IOException, PackRefused {
        if (readInteger() != MAGIC) {
            throw PackRefused.broken("this is not a pack");
        }
        int version = readInteger();
        if (version != 2 && version != 3) {
            throw PackRefused.broken("packs of version " + Integer.toUnsignedString(version) + " are not known here");
        }
        long count = Integer.toUnsignedLong(readInteger());
        if (count > limits.objects()) {
            throw new PackRefused("the pack announces " + count + " objects, limit " + limits.objects());
        }
        return (int) count;
    }

    /// Begins an object: reads its type as the pack has it, and the size to which it inflates.
    void beginObject() throws IOException, PackRefused {
        haltIfInterrupted();
        crc.reset();
        checked = at;
        int b = readByte();
        type = b >> 4 & 7;
        size = b & 15;
        int shift = 4;
        while ((b & 0x80) != 0) {
            if (shift > SIZE_BITS_MAX) {
                throw PackRefused.broken("the size of an object has too many digits");
            }
            b = readByte();
            long bits = b & 0x7f;
            if (bits << shift >>> shift != bits) {
                throw PackRefused.broken("the size of an object has too many digits");
            }
            size |= bits << shift;
            shift += 7;
        }
        if (size < 0 || size > limits.objectBytes()) {
            throw new PackRefused("an object is larger than " + limits.objectBytes() + " bytes");
        }
        if (size > limits.inflatedBytes() - inflated) {
            throw tooLarge();
        }
    }

    int type() {
        return type;
    }

    long size() {
        return size;
    }

    /// How far before the object its base lies.
    long readDistance() throws IOException, PackRefused {
        int b = readByte();
        long distance = b & 0x7f;
        while ((b & 0x80) != 0) {
            if (distance >= 1L << 54) {
                throw PackRefused.broken("the base of a delta lies before the pack");
            }
            b = readByte();
            distance = (distance + 1) << 7 | (b & 0x7f);
        }
        return distance;
    }

    /// Reads an id.
    void readId(byte[] id) throws IOException, PackRefused {
        for (int i = 0; i < CHECKSUM; i++) {
            id[i] = (byte) readByte();
        }
    }

    /// Inflates the object that was begun.
    void inflate(Sink sink) throws IOException, PackRefused {
        inflater.reset();
        long got = 0;
        int filled = 0;
        while (!inflater.finished()) {
            if (inflater.needsInput()) {
                more();
            }
            int count = inflateInto(filled);
            filled += count;
            got += count;
            if (got > size) {
                throw new PackRefused(WRONG_SIZE); // more than it says is how bombs begin
            }
            if (filled > PIECE) {
                haltIfInterrupted();
                sink.accept(piece, filled);
                filled = 0;
            }
        }
        if (got != size) {
            throw PackRefused.broken(WRONG_SIZE);
        }
        if (filled > 0 || size == 0) {
            sink.accept(piece, filled);
        }
        inflated += got;
    }

    private static void haltIfInterrupted() throws IOException {
        Halt.ifInterrupted("a pack was received");
    }

    private int inflateInto(int filled) throws PackRefused {
        try {
            int count = inflater.inflate(piece, filled, piece.length - filled);
            at = end - inflater.getRemaining();
            if (count == 0 && inflater.needsDictionary()) {
                throw new DataFormatException();
            }
            return count;
        } catch (DataFormatException _) {
            throw PackRefused.broken("the compressed data of an object is broken");
        }
    }

    /// Ends the object: its checksum for the index.
    int endObject() {
        crc.update(buffer, checked, at - checked);
        checked = at;
        return (int) crc.getValue();
    }

    /// Reads the checksum, compares it, and expects the end of the stream.
    ///
    /// @return the checksum, which is not in the file yet
    byte[] readChecksum() throws IOException, PackRefused {
        digest.update(buffer, digested, at - digested);
        FullWrites.append(file, buffer, at);
        before += at;
        System.arraycopy(buffer, at, buffer, 0, end - at);
        end -= at;
        at = 0;
        var expected = digest.digest();
        var found = new byte[CHECKSUM];
        while (end < CHECKSUM) {
            fill(end);
        }
        System.arraycopy(buffer, 0, found, 0, CHECKSUM);
        if (!MessageDigest.isEqual(expected, found)) {
            throw PackRefused.broken("the checksum of the pack is wrong, or it has more objects than it announces");
        }
        if (end > CHECKSUM || in.read() >= 0) {
            throw PackRefused.broken("there are bytes after the end of the pack");
        }
        return found;
    }

    private int readInteger() throws IOException, PackRefused {
        return readByte() << 24 | readByte() << 16 | readByte() << 8 | readByte();
    }

    private int readByte() throws IOException, PackRefused {
        if (at == end) {
            refill();
        }
        return buffer[at++] & 0xff;
    }

    private void more() throws IOException, PackRefused {
        if (at == end) {
            refill();
        }
        inflater.setInput(buffer, at, end - at);
    }

    /// Settles everything in the buffer and reads what comes next.
    private void refill() throws IOException, PackRefused {
        digest.update(buffer, digested, end - digested);
        crc.update(buffer, checked, end - checked);
        FullWrites.append(file, buffer, end);
        before += end;
        at = 0;
        end = 0;
        digested = 0;
        checked = 0;
        fill(0);
    }

    private void fill(int from) throws IOException, PackRefused {
        int count = in.read(buffer, from, buffer.length - from);
        if (count < 0) {
            throw PackRefused.broken("the pack ends early");
        }
        end = from + count;
        if (before + end > limits.packBytes()) {
            throw new PackRefused("pack exceeds maximum size (" + limits.packBytes() + " bytes)");
        }
    }

    private PackRefused tooLarge() {
        return new PackRefused(
                "pack exceeds maximum size: it inflates to more than " + limits.inflatedBytes() + " bytes");
    }
}
