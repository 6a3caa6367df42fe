package dev.grapnel.git.pack;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/// Takes large files out of the deltas of a pack: whoever reads a delta needs all of its base and of its
/// result in memory, while what lies in the pack as a whole can be read piece by piece.
///
/// They are packed aside while they are at hand, since making them again could take as long as all of the
/// intake. In the end the pack is written anew with them instead of their deltas.
final class LargeResults implements AutoCloseable {
    private static final int PIECE = 1 << 16;
    private static final int BYTES = 32;
    private static final int ASIDE = 0;
    private static final int LENGTH = 8;
    private static final int OFFSET = 16;
    private static final int CRC = 24;

    private final ObjectTable table;
    private final Scratch scratch;
    private final PackLimits limits;
    private final int sent;
    private final long endOfLast;
    private final byte[] piece = new byte[PIECE];
    private final CRC32 crc = new CRC32();
    private @Nullable Aside aside;

    /// What there is only if the pack has such an object.
    private record Aside(FileChannel file, WholeEntries entries, MemorySegment rows) {}

    /// @param endOfLast where the last object ends in the file
    LargeResults(ObjectTable table, Scratch scratch, PackLimits limits, long endOfLast) {
        this.table = table;
        this.scratch = scratch;
        this.limits = limits;
        this.sent = table.size();
        this.endOfLast = endOfLast;
    }

    /// Packs an object if its delta takes more memory than readers have.
    ///
    /// @param object a delta of the pack
    /// @param deltaBytes of the delta
    /// @param baseBytes of what it was made from
    void offer(int object, long deltaBytes, long baseBytes, Content result) throws IOException, PackRefused {
        if (Math.max(Math.max(deltaBytes, baseBytes), result.size()) <= limits.wholeBytes()) {
            return;
        }
        var into = aside == null ? open() : aside;
        long start = into.entries.position();
        int sum = into.entries.append(table.type(object), result);
        long row = row(object);
        into.rows.set(JAVA_LONG, row + ASIDE, start);
        into.rows.set(JAVA_LONG, row + LENGTH, into.entries.position() - start);
        into.rows.set(JAVA_INT, row + CRC, sum);
    }

    private Aside open() throws IOException {
        var file = scratch.newFile();
        long max = limits.completeBytes();
        var tooLarge = "files of more than " + limits.wholeBytes() + " bytes are kept whole here, and the pack is then"
                + " larger than " + max + " bytes: push in several steps";
        var opened = new Aside(
                file,
                new WholeEntries(file, max, tooLarge),
                scratch.region((long) sent * BYTES).memory());
        aside = opened;
        return opened;
    }

    /// Writes the pack anew, if it has such objects, and tells the table where everything is. Only its head
    /// and checksum are wrong then.
    ///
    /// @return whether it was
    boolean settle(FileChannel pack, EntryReader entries) throws IOException, PackRefused {
        if (aside == null) {
            return false;
        }
        try (var made = scratch.newFile()) {
            long end = write(aside, pack, entries, made);
            pack.truncate(end);
            copy(made, 0, end, pack, 0);
        }
        for (int object = 0; object < sent; object++) {
            long row = row(object);
            long offset = aside.rows.get(JAVA_LONG, row + OFFSET);
            int sum = aside.rows.get(JAVA_INT, row + CRC);
            if (isAside(aside, object)) {
                table.place(object, offset, sum);
            } else {
                table.move(object, offset, sum);
            }
        }
        return true;
    }

    private long write(Aside from, FileChannel pack, EntryReader entries, FileChannel made)
            throws IOException, PackRefused {
        long end = copy(pack, 0, PackStream.HEAD, made, 0);
        for (int object = 0; object < sent; object++) {
            long row = row(object);
            from.rows.set(JAVA_LONG, row + OFFSET, end);
            long start = table.offset(object);
            long stop = object + 1 < sent ? table.offset(object + 1) : endOfLast;
            if (isAside(from, object)) {
                long at = from.rows.get(JAVA_LONG, row + ASIDE);
                end = copy(from.file, at, at + from.rows.get(JAVA_LONG, row + LENGTH), made, end);
            } else if (table.kind(object) == ObjectTable.OFFSET_DELTA) {
                entries.open(start, stop, ObjectTable.OFFSET_DELTA);
                long base = from.rows.get(JAVA_LONG, row(table.base(object)) + OFFSET);
                int length = EntryHead.putDelta(piece, entries.size(), end - base);
                crc.reset();
                crc.update(piece, 0, length);
                FullWrites.put(made, end, piece, length);
                end = copy(pack, entries.position(), stop, made, end + length);
                from.rows.set(JAVA_INT, row + CRC, (int) crc.getValue());
            } else {
                end = copy(pack, start, stop, made, end);
                from.rows.set(JAVA_INT, row + CRC, table.crc(object));
            }
            if (end > limits.completeBytes()) {
                throw new PackRefused("with its large files whole the pack is larger than " + limits.completeBytes()
                        + " bytes: push in several steps");
            }
        }
        return end;
    }

    /// Copies bytes, and adds them to the checksum.
    ///
    /// @return where they end
    private long copy(FileChannel from, long start, long stop, FileChannel into, long at) throws IOException {
        long end = at;
        for (long next = start; next < stop; ) {
            Halt.ifInterrupted("a pack was written anew");
            int count = from.read(ByteBuffer.wrap(piece, 0, (int) Math.min(PIECE, stop - next)), next);
            if (count <= 0) {
                throw new EOFException("a pack in quarantine is shorter than it was");
            }
            crc.update(piece, 0, count);
            FullWrites.put(into, end, piece, count);
            next += count;
            end += count;
        }
        return end;
    }

    private static boolean isAside(Aside aside, int object) {
        return aside.rows.get(JAVA_LONG, row(object) + LENGTH) > 0;
    }

    private static long row(int object) {
        return (long) object * BYTES;
    }

    @Override
    public void close() throws IOException {
        if (aside != null) {
            aside.file.close();
        }
    }
}
