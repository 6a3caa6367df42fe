package dev.grapnel.git.pack;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/// Reads objects out of the file again, which has only such as inflated well when they came.
final class EntryReader {
    private static final int WINDOW = 1 << 16;
    private static final int READ_AT_LEAST = 1 << 12;
    private static final int ID = 20;

    private final FileChannel file;
    private final Inflater inflater;
    private final byte[] window;
    private long windowAt;
    private int filled;
    private long position;
    private long end;
    private long size;

    /// @param fileBytes no more is ever read at once
    EntryReader(FileChannel file, Inflater inflater, long fileBytes) {
        this.file = file;
        this.inflater = inflater;
        this.window = new byte[(int) Math.min(WINDOW, fileBytes)];
    }

    /// Goes to an object, past its head.
    ///
    /// @param end of its bytes in the pack
    void open(long offset, long end, int kind) throws IOException {
        this.position = offset;
        this.end = end;
        int b = nextByte();
        size = b & 15;
        for (int shift = 4; (b & 0x80) != 0; shift += 7) {
            b = nextByte();
            size |= (long) (b & 0x7f) << shift;
        }
        if (kind == ObjectTable.OFFSET_DELTA) {
            do {
                b = nextByte();
            } while ((b & 0x80) != 0);
        } else if (kind == ObjectTable.ID_DELTA) {
            position += ID;
        }
        inflater.reset();
    }

    /// Bytes to which it inflates.
    long size() {
        return size;
    }

    /// Where its compressed bytes begin, until some are read.
    long position() {
        return position;
    }

    /// Inflates some bytes, as many as there is room for unless it ends; 0 at the end.
    int read(byte[] into, int at, int length) throws IOException {
        int done = 0;
        try {
            while (done < length && !inflater.finished()) {
                if (inflater.needsInput()) {
                    feed();
                }
                done += inflater.inflate(into, at + done, length - done);
            }
        } catch (DataFormatException e) {
            throw new IOException("a pack in quarantine has changed", e);
        }
        return done;
    }

    /// The whole object.
    Content readAll(Scratch scratch) throws IOException {
        var content = Content.room(size, scratch);
        if (content.isOnHeap()) {
            if (read(content.heap(), 0, (int) size) != size) {
                throw new IOException("a pack in quarantine has changed");
            }
            return content;
        }
        var piece = new byte[WINDOW];
        int count;
        for (long at = 0; (count = read(piece, 0, piece.length)) > 0; at += count) {
            Halt.ifInterrupted("an object was inflated");
            content.write(at, piece, 0, count);
        }
        return content;
    }

    private void feed() throws IOException {
        int there = load();
        inflater.setInput(window, (int) (position - windowAt), there);
        position += there;
    }

    private int nextByte() throws IOException {
        load();
        return window[(int) (position++ - windowAt)];
    }

    /// Sees to it that the window has what stands at the position; how much of this object it has from there.
    private int load() throws IOException {
        if (position < windowAt || position >= windowAt + filled) {
            long wanted = Math.max(READ_AT_LEAST, end - position);
            var bytes = ByteBuffer.wrap(window, 0, (int) Math.min(window.length, wanted));
            windowAt = position;
            filled = file.read(bytes, position);
            if (filled <= 0) {
                filled = 0;
                throw new IOException("a pack in quarantine is shorter than it was");
            }
        }
        return (int) (Math.min(end, windowAt + filled) - position);
    }
}
