package dev.grapnel.git.maintenance;

import dev.grapnel.git.Disk;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// Numbers outside the heap: packs have millions of objects, and the heap belongs to those who are served.
/// Large tables lie in a file, so that they need no memory either when it is scarce.
final class Table {
    private static final long IN_MEMORY_MAX = 1 << 20;

    private final MemorySegment numbers;

    private Table(MemorySegment numbers) {
        this.numbers = numbers;
    }

    /// Makes tables that live as long as it does.
    static final class Room implements AutoCloseable {
        private final Arena arena = Arena.ofConfined();
        private final Disk disk;
        private final Path directory;
        private final String name;
        private int files;

        /// @param name begins the names of the files
        Room(Disk disk, Path directory, String name) {
            this.disk = disk;
            this.directory = directory;
            this.name = name;
        }

        /// All zero.
        Table table(long length) throws IOException {
            long bytes = Math.max(1, length) * Long.BYTES;
            if (bytes <= IN_MEMORY_MAX) {
                return new Table(arena.allocate(bytes, Long.BYTES));
            }
            var file = directory.resolve(name + "_" + files++);
            disk.create(file);
            try (var channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
                disk.delete(file); // the map keeps what it needs, and nobody has to clean up
                return new Table(channel.map(FileChannel.MapMode.READ_WRITE, 0, bytes, arena));
            }
        }

        @Override
        public void close() {
            arena.close();
        }
    }

    long get(long index) {
        return numbers.getAtIndex(ValueLayout.JAVA_LONG, index);
    }

    void set(long index, long value) {
        numbers.setAtIndex(ValueLayout.JAVA_LONG, index, value);
    }
}
