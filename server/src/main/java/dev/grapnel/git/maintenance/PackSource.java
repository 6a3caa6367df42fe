package dev.grapnel.git.maintenance;

import dev.grapnel.git.GitIds;
import dev.grapnel.git.ObjectType;
import java.io.EOFException;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/// A pack that is read entry by entry, nothing of it inflated.
final class PackSource implements AutoCloseable {
    private static final int HEAD = 12;
    private static final int ENTRY_HEAD_MAX = 48;
    private static final int OFFSET_DELTA = 6;
    private static final int ID_DELTA = 7;
    private static final int RUN = 1 << 16;

    private final Path file;
    private final FileChannel channel;
    private final IndexFile index;
    private final long end;
    private final ByteBuffer head = ByteBuffer.allocate(ENTRY_HEAD_MAX);
    private final int positionBits;
    private final Table order;

    /// What stands before the compressed bytes.
    ///
    /// @param type as the format has it, deltas included
    /// @param size inflated; of a delta its own size
    /// @param length in bytes
    /// @param base position of what a delta rests on, negative if it is no delta
    record Head(int type, long size, int length, int base) {
        boolean isDelta() {
            return base >= 0;
        }
    }

    private PackSource(Path file, FileChannel channel, IndexFile index, Table.Room room) throws IOException {
        this.file = file;
        this.channel = channel;
        this.index = index;
        this.end = channel.size() - IndexFile.HASH;
        this.positionBits = Integer.SIZE - Integer.numberOfLeadingZeros(index.count());
        checkFrame();
        this.order = inOrder(room);
    }

    /// @param name without extension
    /// @throws BrokenPack if pack or index are damaged, as far as that shows at once
    static PackSource open(Path directory, String name, Table.Room room) throws IOException {
        var file = directory.resolve(name + ".pack");
        var index = IndexFile.open(directory.resolve(name + ".idx"));
        try {
            return openWith(file, index, room);
        } catch (IOException | RuntimeException e) {
            index.close();
            throw e;
        }
    }

    private static PackSource openWith(Path file, IndexFile index, Table.Room room) throws IOException {
        var channel = FileChannel.open(file, StandardOpenOption.READ);
        try {
            return new PackSource(file, channel, index, room);
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    private void checkFrame() throws IOException {
        if (end < HEAD) {
            throw new BrokenPack(file, "is too short for a pack");
        }
        var trailer = new byte[IndexFile.HASH];
        read(ByteBuffer.wrap(trailer), end);
        if (!Arrays.equals(trailer, index.packTrailer())) {
            throw new BrokenPack(file, "does not belong to its index");
        }
    }

    /// Places and positions in the order of the pack, both in one number.
    private Table inOrder(Table.Room room) throws IOException {
        int count = index.count();
        if (end >= 1L << (Long.SIZE - 1 - positionBits)) {
            throw new BrokenPack(file, "is too large to be merged");
        }
        var from = room.table(count);
        var run = new long[Math.min(RUN, count)];
        for (int start = 0; start < count; start += RUN) {
            int length = Math.min(RUN, count - start);
            for (int i = 0; i < length; i++) {
                run[i] = index.place(start + i) << positionBits | (start + i);
            }
            Arrays.sort(run, 0, length);
            for (int i = 0; i < length; i++) {
                from.set(start + i, run[i]);
            }
        }
        return count <= RUN ? from : mergeRuns(from, room.table(count), count);
    }

    private static Table mergeRuns(Table first, Table second, int count) {
        var from = first;
        var to = second;
        for (long width = RUN; width < count; width *= 2) {
            for (long start = 0; start < count; start += 2 * width) {
                mergeTwo(from, to, start, Math.min(start + width, count), Math.min(start + 2 * width, count));
            }
            var swap = from;
            from = to;
            to = swap;
        }
        return from;
    }

    private static void mergeTwo(Table from, Table to, long start, long middle, long end) {
        long left = start;
        long right = middle;
        for (long at = start; at < end; at++) {
            boolean takeLeft = left < middle && (right >= end || from.get(left) <= from.get(right));
            to.set(at, from.get(takeLeft ? left++ : right++));
        }
    }

    IndexFile index() {
        return index;
    }

    /// The position in the index of the entry that comes as this one in the pack.
    int position(long rank) {
        return (int) (order.get(rank) & ((1L << positionBits) - 1));
    }

    /// Where the entry that comes as this one begins.
    long place(long rank) {
        return order.get(rank) >>> positionBits;
    }

    /// Where it ends.
    long end(long rank) {
        return rank + 1 < index.count() ? place(rank + 1) : end;
    }

    /// Which entry begins there.
    ///
    /// @throws BrokenPack if none does
    long rankAt(long place) throws BrokenPack {
        long low = 0;
        long high = index.count() - 1L;
        while (low <= high) {
            long middle = (low + high) >>> 1;
            long found = place(middle);
            if (found == place) {
                return middle;
            }
            if (found < place) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        throw new BrokenPack(file, "has no object at " + place + ", where one is needed");
    }

    /// Reads what stands before the compressed bytes.
    Head head(long rank) throws IOException {
        long place = place(rank);
        head.clear();
        head.limit((int) Math.min(head.capacity(), Math.max(0, end(rank) - place)));
        read(head, place);
        head.flip();
        try {
            return parse(place);
        } catch (BufferUnderflowException _) {
            throw new BrokenPack(file, "has a broken entry at " + place);
        }
    }

    private Head parse(long place) throws BrokenPack {
        int part = head.get() & 0xff;
        int type = part >> 4 & 7;
        long size = part & 15;
        for (int shift = 4; (part & 0x80) != 0; shift += 7) {
            part = head.get() & 0xff;
            size |= (long) (part & 0x7f) << shift;
        }
        int base = switch (type) {
            case OFFSET_DELTA -> position(rankAt(place - distance()));
            case ID_DELTA -> baseById(place);
            default -> -1;
        };
        if (base < 0 && ObjectType.find(type).isEmpty()) {
            throw new BrokenPack(file, "has an entry of unknown type " + type + " at " + place);
        }
        return new Head(type, size, head.position(), base);
    }

    private long distance() {
        int part = head.get() & 0xff;
        long distance = part & 0x7f;
        while ((part & 0x80) != 0) {
            part = head.get() & 0xff;
            distance = (distance + 1) << 7 | (part & 0x7f);
        }
        return distance;
    }

    private int baseById(long place) throws BrokenPack {
        var raw = new byte[IndexFile.HASH];
        head.get(raw);
        int base = index.find(GitIds.read(raw, 0));
        if (base < 0) {
            throw new BrokenPack(file, "lacks what the delta at " + place + " rests on");
        }
        return base;
    }

    /// Fills a buffer.
    void read(ByteBuffer buffer, long from) throws IOException {
        long at = from;
        while (buffer.hasRemaining()) {
            int count = channel.read(buffer, at);
            if (count < 0) {
                throw new EOFException(file.getFileName() + " ends too early");
            }
            at += count;
        }
    }

    Path file() {
        return file;
    }

    @Override
    public void close() throws IOException {
        index.close();
        channel.close();
    }
}
