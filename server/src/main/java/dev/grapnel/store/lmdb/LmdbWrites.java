package dev.grapnel.store.lmdb;

import dev.grapnel.store.table.ListCursor;
import dev.grapnel.store.table.Postings;
import dev.grapnel.store.table.RowCursor;
import dev.grapnel.store.table.Table;
import dev.grapnel.store.table.WriteTables;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.lwjgl.util.lmdb.LMDB;

/// One transaction of LMDB. Values are copied once, straight into the page they go to.
///
/// LMDB's cursors survive changes, but our readers must not be used after one, so they need not be told of
/// them: they only compare [#changes] before they touch memory that a change may have freed.
final class LmdbWrites implements WriteTables {
    private final LmdbEngine engine;
    private final Environment environment;
    private final Scratch scratch;
    private final long id;
    private final Thread writer = Thread.currentThread();
    private long transaction;

    /// A cursor per table, for looking up posting lists; 0 where none was needed yet.
    private final long[] lookups = new long[Table.values().length];

    private int changes;

    LmdbWrites(LmdbEngine engine, Environment environment, Scratch scratch, long transaction) {
        this.engine = engine;
        this.environment = environment;
        this.scratch = scratch;
        this.transaction = transaction;
        this.id = LMDB.nmdb_txn_id(transaction);
    }

    @Override
    public byte @Nullable [] find(Table table, byte[] key) {
        requireRows(table);
        return isKey(key) ? found(table, scratch.key(key)) : null;
    }

    @Override
    public byte @Nullable [] find(Table table, long key) {
        requireRows(table);
        return found(table, scratch.key(key));
    }

    private byte @Nullable [] found(Table table, long key) {
        int code = LMDB.nmdb_get(requireOpen(), environment.handle(table), key, scratch.value());
        if (code == LMDB.MDB_NOTFOUND) {
            return null;
        }
        requireRead(code);
        return scratch.copyOfValue();
    }

    @Override
    public void put(Table table, byte[] key, byte[] value) {
        requireRows(table);
        requireKey(key);
        scratch.forgetLast(table);
        put(table, scratch.key(key), value, 0);
    }

    @Override
    public void put(Table table, long key, byte[] value) {
        requireRows(table);
        boolean isLast = isAfterLast(table, key);
        put(table, scratch.key(key), value, isLast ? LMDB.MDB_APPEND : 0);
        if (isLast) {
            scratch.setLast(table, key);
        }
    }

    private void put(Table table, long key, byte[] value, int flags) {
        changes++;
        requireWritten(LMDB.nmdb_put(
                requireOpen(),
                environment.handle(table),
                key,
                scratch.valueOf(value.length),
                LMDB.MDB_RESERVE | flags));
        MemorySegment.copy(value, 0, Raw.MEMORY, ValueLayout.JAVA_BYTE, scratch.valueAt(), value.length);
    }

    /// Whether a number is greater than every key of a table, so that LMDB need not look for its place.
    private boolean isAfterLast(Table table, long key) {
        if (!scratch.knowsLast(table)) {
            long cursor = lookup(table);
            int code = LMDB.nmdb_cursor_get(cursor, scratch.key(0), scratch.value(), LMDB.MDB_LAST);
            if (code == LMDB.MDB_NOTFOUND) {
                return true;
            }
            requireRead(code);
            scratch.setLastFromKey(table);
        }
        return Long.compareUnsigned(key, scratch.last(table)) > 0;
    }

    @Override
    public boolean remove(Table table, byte[] key) {
        requireRows(table);
        return isKey(key) && deleted(table, scratch.key(key), 0);
    }

    @Override
    public boolean remove(Table table, long key) {
        requireRows(table);
        return deleted(table, scratch.key(key), 0);
    }

    @Override
    public boolean add(Table table, byte[] key, long high, long low) {
        requirePostings(table);
        requireKey(key);
        changes++;
        int code = LMDB.nmdb_put(
                requireOpen(),
                environment.handle(table),
                scratch.key(key),
                scratch.posting(high, low),
                LMDB.MDB_NODUPDATA);
        if (code == LMDB.MDB_KEYEXIST) {
            return false;
        }
        requireWritten(code);
        return true;
    }

    @Override
    public boolean remove(Table table, byte[] key, long high, long low) {
        requirePostings(table);
        return isKey(key) && deleted(table, scratch.key(key), scratch.posting(high, low));
    }

    private boolean deleted(Table table, long key, long value) {
        changes++;
        int code = LMDB.nmdb_del(requireOpen(), environment.handle(table), key, value);
        if (code == LMDB.MDB_NOTFOUND) {
            return false;
        }
        requireWritten(code);
        return true;
    }

    @Override
    public RowCursor rows(Table table, byte[] from) {
        requireRows(table);
        return new NativeRows(this, scratch, open(table), from);
    }

    @Override
    public Postings postings(Table table, byte[] key) {
        requirePostings(table);
        return NativePostings.open(this, scratch, table, key);
    }

    @Override
    public ListCursor lists(Table table, byte[] from) {
        requirePostings(table);
        return new NativeLists(this, scratch, table, open(table), from);
    }

    @Override
    public long count(Table table) {
        requireRead(LMDB.nmdb_stat(requireOpen(), environment.handle(table), scratch.stat()));
        return scratch.entriesOfStat();
    }

    /// The cursor for looking up in a table. It may be moved by anyone.
    long lookup(Table table) {
        long cursor = lookups[Roots.slot(table)];
        if (cursor == 0) {
            cursor = open(table);
            lookups[Roots.slot(table)] = cursor;
        }
        return cursor;
    }

    /// A cursor of the caller's own. LMDB frees it when the transaction ends.
    long open(Table table) {
        requireRead(LMDB.nmdb_cursor_open(requireOpen(), environment.handle(table), scratch.result()));
        return scratch.resultAddress();
    }

    /// How many changes there were: what was read before the last one must not be looked at any more.
    int changes() {
        return changes;
    }

    void requireUnchangedSince(int then) {
        if (changes != then) {
            throw new IllegalStateException("the tables were changed since this cursor was opened");
        }
    }

    @Override
    public void commit() {
        long ending = requireOpen();
        finish();
        int code = LMDB.nmdb_txn_commit(ending);
        if (code == 0) {
            engine.committed(id);
        } else {
            scratch.forgetLasts();
            engine.failed(code);
            throw code == LMDB.MDB_MAP_FULL ? new MapFull() : LmdbError.failure("write the changes", code);
        }
    }

    @Override
    public void close() {
        if (transaction != 0) {
            abort();
        }
    }

    private void abort() {
        long ending = transaction;
        finish();
        scratch.forgetLasts();
        LMDB.nmdb_txn_abort(ending);
        engine.ended();
    }

    private void finish() {
        transaction = 0;
        changes++;
        Arrays.fill(lookups, 0);
    }

    private long requireOpen() {
        if (transaction == 0 || !Thread.currentThread().equals(writer)) {
            throw new IllegalStateException("the transaction has ended, or is another thread's");
        }
        return transaction;
    }

    /// @throws RuntimeException if a reading operation failed; the transaction goes on
    void requireRead(int code) {
        if (code != 0) {
            throw LmdbError.failure("read", code);
        }
    }

    /// After a failure LMDB would not commit what it has, so everything is undone at once.
    private void requireWritten(int code) {
        if (code != 0) {
            abort();
            engine.failed(code);
            throw code == LMDB.MDB_MAP_FULL ? new MapFull() : LmdbError.failure("make a change", code);
        }
    }

    private static boolean isKey(byte[] key) {
        return key.length >= 1 && key.length <= Table.KEY_BYTES_MAX;
    }

    private static void requireKey(byte[] key) {
        if (!isKey(key)) {
            throw new IllegalArgumentException("a key has 1 to " + Table.KEY_BYTES_MAX + " bytes, not " + key.length);
        }
    }

    /// Before anything is put into the scratch memory, which others may be using.
    private void requireRows(Table table) {
        requireOpen();
        if (table.form() != Table.Form.ROWS) {
            throw new IllegalArgumentException("table " + table.storedName() + " has no rows");
        }
    }

    private void requirePostings(Table table) {
        requireOpen();
        if (table.form() != Table.Form.POSTINGS) {
            throw new IllegalArgumentException("table " + table.storedName() + " has no postings");
        }
    }
}
