package dev.grapnel.git.maintenance;

import dev.grapnel.nostr.repository.Oid;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// The index of a pack (version 2), read where it lies: ids in order, and of each its place and checksum in
/// the pack.
final class IndexFile implements AutoCloseable {
    static final int MAGIC = 0xff744f63;
    static final int VERSION = 2;
    static final int HASH = 20;

    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final long FANOUT = 8;
    private static final long IDS = FANOUT + 256 * 4;
    private static final long FAR = 0x80000000L;

    private final Arena arena;
    private final Path file;
    private final MemorySegment bytes;
    private final int count;
    private final long checksums;
    private final long places;
    private final long farPlaces;

    private IndexFile(Path file, FileChannel channel, Arena arena) throws IOException {
        this.arena = arena;
        this.file = file;
        this.bytes = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena);
        if (bytes.byteSize() < IDS + 2 * HASH || bytes.get(INT, 0) != MAGIC || bytes.get(INT, 4) != VERSION) {
            throw new BrokenPack(file, "is no index of version 2");
        }
        this.count = lastFanout();
        this.checksums = IDS + (long) count * HASH;
        this.places = checksums + (long) count * 4;
        this.farPlaces = places + (long) count * 4;
        if (bytes.byteSize() < farPlaces + 2 * HASH) {
            throw new BrokenPack(file, "is too short for its " + count + " objects");
        }
    }

    /// @throws BrokenPack if it is none
    static IndexFile open(Path file) throws IOException {
        try (var channel = FileChannel.open(file, StandardOpenOption.READ)) {
            return openOn(file, channel);
        }
    }

    private static IndexFile openOn(Path file, FileChannel channel) throws IOException {
        if (channel.size() == 0) {
            throw new BrokenPack(file, "is empty");
        }
        var arena = Arena.ofConfined();
        try {
            return new IndexFile(file, channel, arena);
        } catch (IOException | RuntimeException e) {
            arena.close();
            throw e;
        }
    }

    private int lastFanout() throws BrokenPack {
        int before = 0;
        for (int first = 0; first < 256; first++) {
            int upTo = bytes.get(INT, FANOUT + first * 4L);
            if (upTo < before) {
                throw new BrokenPack(file, "has no sorted ids");
            }
            before = upTo;
        }
        return before;
    }

    /// How many objects there are.
    int count() {
        return count;
    }

    Oid id(long position) {
        long at = IDS + position * HASH;
        return new Oid(bytes.get(LONG, at), bytes.get(LONG, at + 8), bytes.get(INT, at + 16));
    }

    int checksum(long position) {
        return bytes.get(INT, checksums + position * 4);
    }

    /// Where the object begins in the pack.
    long place(long position) throws BrokenPack {
        int near = bytes.get(INT, places + position * 4);
        if (near >= 0) {
            return near;
        }
        long at = farPlaces + (near & (FAR - 1)) * 8;
        if (at > bytes.byteSize() - 2 * HASH - 8) {
            throw new BrokenPack(file, "points outside itself");
        }
        return bytes.get(LONG, at);
    }

    /// The position of an id, negative if it is not here.
    int find(Oid id) {
        int first = (int) (id.a() >>> 56);
        int low = first == 0 ? 0 : bytes.get(INT, FANOUT + (first - 1) * 4L);
        int high = bytes.get(INT, FANOUT + first * 4L) - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            int order = id(middle).compareTo(id);
            if (order == 0) {
                return middle;
            }
            if (order < 0) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return -1;
    }

    boolean has(Oid id) {
        return find(id) >= 0;
    }

    /// The checksum at the end of the pack, as the index knows it.
    byte[] packTrailer() {
        return bytes.asSlice(bytes.byteSize() - 2 * HASH, HASH).toArray(ValueLayout.JAVA_BYTE);
    }

    /// All bytes but the last checksum, for whoever checks it.
    MemorySegment content() {
        return bytes.asSlice(0, bytes.byteSize() - HASH);
    }

    /// The checksum at the end of the index.
    byte[] trailer() {
        return bytes.asSlice(bytes.byteSize() - HASH, HASH).toArray(ValueLayout.JAVA_BYTE);
    }

    @Override
    public void close() {
        arena.close();
    }
}
