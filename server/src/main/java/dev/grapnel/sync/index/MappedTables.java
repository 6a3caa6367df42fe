package dev.grapnel.sync.index;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Tables in files, so that they need no memory when it is scarce. The files have no names any more once they
/// are open: nobody has to clean up after a crash.
///
/// Each chunk is written before it is mapped, because a page without a place on the disk would end the process
/// when it is touched. When the disk is full, chunks come from memory; how many there can be is bounded by
/// [IndexLimits].
public final class MappedTables implements IndexTables {
    private static final Logger LOG = LoggerFactory.getLogger(MappedTables.class);
    private static final int CHUNK_BYTES = 1 << 20;

    private final Path directory;
    private final Arena arena = Arena.ofShared();
    private final Map<String, FileChannel> files = new HashMap<>();
    private boolean isShort;

    /// @param directory is made if it is missing
    /// @throws IOException if it cannot be
    public MappedTables(Path directory) throws IOException {
        this.directory = Files.createDirectories(directory);
    }

    @Override
    public int chunkBytes() {
        return CHUNK_BYTES;
    }

    @Override
    public MemorySegment chunk(String table) {
        if (!isShort) {
            try {
                return mapped(file(table));
            } catch (IOException e) {
                isShort = true;
                LOG.warn("sync tables continue in memory table={}", table, e);
            }
        }
        return arena.allocate(CHUNK_BYTES, Long.BYTES);
    }

    private FileChannel file(String table) throws IOException {
        var open = files.get(table);
        if (open != null) {
            return open;
        }
        var path = Files.createTempFile(directory, table + "-", ".table");
        var file = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
        files.put(table, file);
        Files.delete(path);
        return file;
    }

    private MemorySegment mapped(FileChannel file) throws IOException {
        long start = file.size();
        var zeros = ByteBuffer.allocate(CHUNK_BYTES);
        while (zeros.hasRemaining()) {
            file.write(zeros, start + zeros.position());
        }
        return file.map(FileChannel.MapMode.READ_WRITE, start, CHUNK_BYTES, arena);
    }

    @Override
    public void close() {
        arena.close();
        for (var file : files.values()) {
            try {
                file.close();
            } catch (IOException e) {
                LOG.warn("sync table not closed", e);
            }
        }
    }
}
