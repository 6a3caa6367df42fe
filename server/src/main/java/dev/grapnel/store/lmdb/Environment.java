package dev.grapnel.store.lmdb;

import dev.grapnel.store.table.StoreFailure;
import dev.grapnel.store.table.Table;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import org.lwjgl.system.Configuration;
import org.lwjgl.util.lmdb.LMDB;

/// The native library with one open file. Only for the writer thread, except that readers are begun and
/// ended under the lock of [Commits]. Nothing of it may be called before the file was checked: see
/// [PageCheck].
final class Environment implements AutoCloseable {
    /// Reader slots beyond the commits that are kept: one is taken while the next commit is published, one
    /// by copying.
    private static final int SPARE_READERS = 8;

    private static final int PAGE_BYTES = 4096;
    private static final int MODE = 0b110_100_000; // the owner writes, the group reads

    static {
        // The default goes through methods of Unsafe that the JDK warns of on standard error.
        Configuration.MEMORY_BACKEND.set("ffm");
    }

    private final int[] handles = new int[Table.values().length];
    private final Arena arena = Arena.ofShared();
    private final MemorySegment result = arena.allocate(Long.BYTES);
    private final Path directory;
    private long address;
    private long mapBytes;
    private boolean isBroken;

    private Environment(Path directory, long address, long mapBytes) {
        this.directory = directory;
        this.address = address;
        this.mapBytes = mapBytes;
    }

    /// Opens the file of a directory, and creates it if it is missing.
    static Environment open(Path directory, LmdbConfig config, long mapBytes) {
        try (var arena = Arena.ofConfined()) {
            var result = arena.allocate(Long.BYTES);
            require("prepare LMDB", LMDB.nmdb_env_create(result.address()));
            long address = Raw.u64(result, 0);
            try {
                configure(address, config, mapBytes);
                int flags = LMDB.MDB_NOTLS | (config.durability() == Durability.SYNC ? 0 : LMDB.MDB_NOSYNC);
                long path = arena.allocateFrom(directory.toString()).address();
                require("open the store in " + directory, LMDB.nmdb_env_open(address, path, flags, MODE));
                return new Environment(directory, address, mapBytes);
            } catch (RuntimeException e) {
                LMDB.nmdb_env_close(address);
                throw e;
            }
        } catch (LinkageError e) {
            throw new StoreFailure(
                    "could not load LMDB's native library: " + e.getMessage()
                            + "; Grapnel has it for Linux and macOS on x64 and arm64, and must be able to unpack it into"
                            + " a directory from which programs may run (-Djava.io.tmpdir=...)",
                    e);
        }
    }

    private static void configure(long address, LmdbConfig config, long mapBytes) {
        require("set LMDB's map size", LMDB.nmdb_env_set_mapsize(address, mapBytes));
        require("set LMDB's page size", LMDB.nmdb_env_set_pagesize(address, PAGE_BYTES));
        require("set LMDB's readers", LMDB.nmdb_env_set_maxreaders(address, config.snapshotsMax() + SPARE_READERS));
        require("set LMDB's tables", LMDB.nmdb_env_set_maxdbs(address, Table.values().length));
    }

    long mapBytes() {
        return mapBytes;
    }

    int handle(Table table) {
        return handles[Roots.slot(table)];
    }

    /// Makes handles for all tables, creating those that are missing.
    void openTables(long transaction) {
        for (var table : Table.values()) {
            int flags =
                    LMDB.MDB_CREATE | (table.form() == Table.Form.POSTINGS ? LMDB.MDB_DUPSORT | LMDB.MDB_DUPFIXED : 0);
            try (var names = Arena.ofConfined()) {
                long name = names.allocateFrom(table.storedName()).address();
                require(
                        "open table " + table.storedName(),
                        LMDB.nmdb_dbi_open(transaction, name, flags, result.address()));
            }
            handles[Roots.slot(table)] = (int) Raw.u32(result, 0);
        }
    }

    /// Begins a transaction that changes something.
    ///
    /// @return what LMDB says; if that is 0, [#begun] is the transaction
    int begin() {
        return LMDB.nmdb_txn_begin(address, 0, 0, result.address());
    }

    /// Address of the transaction that was begun.
    long begun() {
        return Raw.u64(result, 0);
    }

    /// Begins a transaction that keeps the newest commit's pages; 0 if there is no slot for it.
    long beginReader() {
        int code = LMDB.nmdb_txn_begin(address, 0, LMDB.MDB_RDONLY, result.address());
        if (code == LMDB.MDB_READERS_FULL) {
            return 0;
        }
        require("begin reading", code);
        return Raw.u64(result, 0);
    }

    /// Enlarges the map. No transaction may be open that reads or writes through LMDB; those that only keep
    /// pages may.
    void enlarge(long bytes) {
        int code = LMDB.nmdb_env_set_mapsize(address, bytes);
        if (code != 0) {
            isBroken = true; // the old map is gone already
            throw LmdbError.failure("enlarge the map of the store to " + bytes + " bytes", code);
        }
        mapBytes = bytes;
    }

    /// Writes a compact copy.
    void copyTo(Path file) {
        try (var names = Arena.ofConfined()) {
            long path = names.allocateFrom(file.toString()).address();
            require("copy the store in " + directory, LMDB.nmdb_env_copy2(address, path, LMDB.MDB_CP_COMPACT));
        }
    }

    /// Whether it can be used.
    boolean isOpen() {
        return address != 0 && !isBroken;
    }

    @Override
    public void close() {
        if (address != 0) {
            LMDB.nmdb_env_close(address);
            arena.close();
            address = 0;
        }
    }

    private static void require(String what, int code) {
        if (code != 0) {
            throw LmdbError.failure(what, code);
        }
    }
}
