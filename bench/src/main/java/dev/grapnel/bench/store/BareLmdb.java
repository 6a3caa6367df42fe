package dev.grapnel.bench.store;

import dev.grapnel.bench.store.TableLog.Change;
import dev.grapnel.nostr.Bytes;
import dev.grapnel.store.table.Table;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.util.lmdb.LMDB;
import org.lwjgl.util.lmdb.MDBVal;

/// LMDB without anything around it: the limit that ingest is measured against.
final class BareLmdb implements AutoCloseable {
    private static final long MAP_BYTES = 64L << 30;
    private static final int BUFFER = 4 << 20;

    private final long environment;
    private final Map<Table, Integer> databases = new EnumMap<>(Table.class);
    private final ByteBuffer keyBuffer = MemoryUtil.memAlloc(1_024);
    private final ByteBuffer valueBuffer = MemoryUtil.memAlloc(BUFFER);
    private final MDBVal key = MDBVal.malloc();
    private final MDBVal value = MDBVal.malloc();

    BareLmdb(Path directory) {
        try (var stack = MemoryStack.stackPush()) {
            var pointer = stack.mallocPointer(1);
            check(LMDB.mdb_env_create(pointer));
            environment = pointer.get(0);
            check(LMDB.mdb_env_set_maxdbs(environment, Table.values().length));
            check(LMDB.mdb_env_set_mapsize(environment, MAP_BYTES));
            check(LMDB.mdb_env_open(environment, directory.toString(), LMDB.MDB_NOTLS, 0600));
            check(LMDB.mdb_txn_begin(environment, 0, 0, pointer));
            long transaction = pointer.get(0);
            var handle = stack.mallocInt(1);
            for (var table : Table.values()) {
                int form = switch (table.form()) {
                    case ROWS -> 0;
                    case POSTINGS -> LMDB.MDB_DUPSORT | LMDB.MDB_DUPFIXED;
                };
                check(LMDB.mdb_dbi_open(transaction, table.storedName(), LMDB.MDB_CREATE | form, handle));
                databases.put(table, handle.get(0));
            }
            check(LMDB.mdb_txn_commit(transaction));
        }
    }

    /// Writes the same again, durably.
    void write(List<Change> changes) {
        try (var stack = MemoryStack.stackPush()) {
            var pointer = stack.mallocPointer(1);
            check(LMDB.mdb_txn_begin(environment, 0, 0, pointer));
            long transaction = pointer.get(0);
            for (var change : changes) {
                write(transaction, change);
            }
            check(LMDB.mdb_txn_commit(transaction));
        }
    }

    private void write(long transaction, Change change) {
        switch (change) {
            case Change.Put(var table, var row, var bytes) -> {
                set(row);
                int flags = table == Table.EVENTS || table == Table.NUMBERS ? LMDB.MDB_APPEND : 0;
                value.mv_data(valueBuffer.clear().put(bytes.toArray()).flip());
                check(LMDB.mdb_put(transaction, database(table), key, value, flags));
            }
            case Change.Removed(var table, var row) -> {
                set(row);
                checkFound(LMDB.mdb_del(transaction, database(table), key, null));
            }
            case Change.Added(var table, var list, var high, var low) -> {
                set(list);
                value.mv_data(valueBuffer.clear().putLong(high).putLong(low).flip());
                check(LMDB.mdb_put(transaction, database(table), key, value, 0));
            }
            case Change.Taken(var table, var list, var high, var low) -> {
                set(list);
                value.mv_data(valueBuffer.clear().putLong(high).putLong(low).flip());
                checkFound(LMDB.mdb_del(transaction, database(table), key, value));
            }
        }
    }

    private void set(Bytes bytes) {
        key.mv_data(keyBuffer.clear().put(bytes.toArray()).flip());
    }

    private int database(Table table) {
        return databases.getOrDefault(table, -1);
    }

    private static void checkFound(int code) {
        if (code != LMDB.MDB_NOTFOUND) {
            check(code);
        }
    }

    private static void check(int code) {
        if (code != LMDB.MDB_SUCCESS) {
            throw new IllegalStateException(LMDB.mdb_strerror(code));
        }
    }

    @Override
    public void close() {
        LMDB.mdb_env_close(environment);
        MemoryUtil.memFree(keyBuffer);
        MemoryUtil.memFree(valueBuffer);
        key.free();
        value.free();
    }
}
