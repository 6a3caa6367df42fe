package dev.grapnel.sync.index;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Tables in files, so that they need no memory when it is scarce, and that the next process finds.
///
/// Each chunk is written before it is mapped, because a page without a place on the disk would end the process
/// when it is touched. When the disk is full, chunks come from memory; how many there can be is bounded by
/// [IndexLimits].
public final class MappedTables implements IndexTables {
    private static final Logger LOG = LoggerFactory.getLogger(MappedTables.class);
    /// Most servers need a few of each table; the largest need 20,000 in all, a third of what a process may map.
    private static final int CHUNK_BYTES = 1 << 16;

    private static final String ENDING = ".table";

    private final Path directory;
    private final Map<String, TableFile> files = new HashMap<>();
    private Arena arena = Arena.ofShared();
    private boolean isShort;

    /// A table's file and how many chunks of it are in use.
    private static final class TableFile {
        private final FileChannel channel;
        private int chunks;

        TableFile(FileChannel channel) {
            this.channel = channel;
        }
    }

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
                return append(file(table));
            } catch (IOException e) {
                isShort = true;
                LOG.warn("sync tables continue in memory table={}", table, e);
            }
        }
        return arena.allocate(CHUNK_BYTES, Long.BYTES);
    }

    private TableFile file(String table) throws IOException {
        var open = files.get(table);
        if (open != null) {
            return open;
        }
        var file = new TableFile(FileChannel.open(
                path(table), StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE));
        files.put(table, file);
        return file;
    }

    private Path path(String table) {
        return directory.resolve(table + ENDING);
    }

    private MemorySegment append(TableFile file) throws IOException {
        long start = (long) file.chunks * CHUNK_BYTES;
        var zeros = ByteBuffer.allocate(CHUNK_BYTES);
        while (zeros.hasRemaining()) {
            file.channel.write(zeros, start + zeros.position());
        }
        file.chunks++;
        return map(file, start);
    }

    private MemorySegment map(TableFile file, long start) throws IOException {
        return file.channel.map(FileChannel.MapMode.READ_WRITE, start, CHUNK_BYTES, arena);
    }

    @Override
    public boolean areKept() {
        return !isShort;
    }

    @Override
    public Optional<List<MemorySegment>> find(String table, int chunks) {
        try {
            var file = file(table);
            if (file.channel.size() < (long) chunks * CHUNK_BYTES) {
                return Optional.empty();
            }
            var found = new ArrayList<MemorySegment>();
            for (int chunk = 0; chunk < chunks; chunk++) {
                found.add(map(file, (long) chunk * CHUNK_BYTES));
            }
            file.chunks = chunks;
            return Optional.of(found);
        } catch (IOException e) {
            LOG.warn("sync table cannot be read table={}", table, e);
            return Optional.empty();
        }
    }

    @Override
    public void discard() {
        close();
        files.clear();
        arena = Arena.ofShared();
        try (var left = Files.newDirectoryStream(directory, "*" + ENDING)) {
            for (var file : left) {
                Files.delete(file);
            }
        } catch (IOException e) {
            isShort = true;
            LOG.warn("sync tables of an earlier start stay, and new ones are kept in memory", e);
        }
    }

    @Override
    public void close() {
        arena.close();
        for (var file : files.values()) {
            try {
                file.channel.close();
            } catch (IOException e) {
                LOG.warn("sync table not closed", e);
            }
        }
    }
}
