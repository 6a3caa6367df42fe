package dev.grapnel.git.pack;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Memory outside the heap for one intake: native while it is small, beyond that mapped files, which the
/// system may write out when memory is short.
///
/// The files lose their names as soon as they are open, so nothing is left of them, however the intake
/// ends. They are filled with zeros before they are mapped: a full disk is then an exception here, not a
/// fault somewhere later.
final class Scratch implements AutoCloseable {
    private static final long NATIVE_BYTES_MAX = 1 << 20;
    private static final int ZEROS = 1 << 16;

    private final Path directory;
    private final List<Region> regions = new ArrayList<>();
    private @Nullable Region spare;
    private int filesMade;

    Scratch(Path directory) {
        this.directory = directory;
    }

    /// New memory of this size, all zeros.
    Region region(long bytes) throws IOException {
        var region = new Region(bytes);
        regions.add(region);
        return region;
    }

    /// Memory that was given back, whatever is in it, or else new memory of this size. Files that are filled
    /// with zeros for each of many large objects would keep the disk busy for minutes.
    Region used(long bytes) throws IOException {
        var region = spare;
        if (region == null) {
            return region(bytes);
        }
        spare = null;
        return region;
    }

    /// Room for ids that outlive the intake.
    IdList keptIds(long count) throws IOException {
        long bytes = count * IdList.BYTES;
        if (bytes <= NATIVE_BYTES_MAX) {
            return new IdList(MemorySegment.ofArray(new byte[(int) bytes]));
        }
        try (var file = newFile()) {
            extend(file, 0, bytes);
            return new IdList(file.map(MapMode.READ_WRITE, 0, bytes, Arena.ofAuto()));
        }
    }

    @Override
    public void close() {
        for (var region : List.copyOf(regions)) {
            region.close();
        }
    }

    /// A file without a name, which is gone when it is closed.
    FileChannel newFile() throws IOException {
        Files.createDirectories(directory);
        return FileChannel.open(
                directory.resolve("scratch-" + filesMade++),
                Set.of(
                        StandardOpenOption.CREATE_NEW,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE,
                        StandardOpenOption.DELETE_ON_CLOSE));
    }

    private static void extend(FileChannel file, long from, long to) throws IOException {
        var zeros = ByteBuffer.allocateDirect((int) Math.min(ZEROS, to - from));
        for (long at = from; at < to; ) {
            zeros.clear().limit((int) Math.min(zeros.capacity(), to - at));
            at += file.write(zeros, at);
        }
    }

    /// A piece of scratch memory that can grow. Growing moves it, so nobody keeps the segment across that.
    final class Region implements AutoCloseable {
        private Arena arena = Arena.ofConfined();
        private MemorySegment memory;
        private @Nullable FileChannel file;

        private Region(long bytes) throws IOException {
            memory = bytes <= NATIVE_BYTES_MAX ? arena.allocate(bytes, Long.BYTES) : mapped(arena, bytes);
        }

        MemorySegment memory() {
            return memory;
        }

        /// Makes it larger; what was in it stays, the rest is zeros.
        MemorySegment grow(long bytes) throws IOException {
            var next = Arena.ofConfined();
            try {
                MemorySegment moved;
                if (bytes <= NATIVE_BYTES_MAX) {
                    moved = next.allocate(bytes, Long.BYTES).copyFrom(memory);
                } else {
                    boolean isNew = file == null;
                    moved = mapped(next, bytes);
                    if (isNew) {
                        moved.copyFrom(memory);
                    }
                }
                arena.close();
                arena = next;
                memory = moved;
                return moved;
            } catch (IOException | RuntimeException e) {
                next.close();
                throw e;
            }
        }

        private MemorySegment mapped(Arena owner, long bytes) throws IOException {
            var open = file;
            if (open == null) {
                open = newFile();
                file = open;
            }
            extend(open, open.size(), bytes);
            return open.map(MapMode.READ_WRITE, 0, bytes, owner);
        }

        /// Lets another use it. The largest is kept for that.
        void giveBack() {
            var other = spare;
            if (other == null || other.memory.byteSize() < memory.byteSize()) {
                spare = this;
            }
            var rest = spare == this ? other : this;
            if (rest != null) {
                rest.close();
            }
        }

        @Override
        public void close() {
            if (regions.remove(this)) {
                arena.close();
                closeFile();
            }
        }

        private void closeFile() {
            if (file != null) {
                try {
                    file.close();
                } catch (IOException _) {
                    // it has no name any more, and nobody will read it
                }
            }
        }
    }
}
