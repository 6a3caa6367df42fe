package dev.grapnel.store.lmdb;

import dev.grapnel.store.table.RowCursor;
import org.jspecify.annotations.Nullable;
import org.lwjgl.util.lmdb.LMDB;

/// Rows as a transaction sees them that may have changed some.
final class NativeRows implements RowCursor {
    private final LmdbWrites writes;
    private final Scratch scratch;
    private final long cursor;
    private final int changes;
    private byte @Nullable [] from;
    private long keyAt;
    private int keyBytes = -1;
    private long valueAt;
    private int valueBytes;

    NativeRows(LmdbWrites writes, Scratch scratch, long cursor, byte[] from) {
        this.writes = writes;
        this.scratch = scratch;
        this.cursor = cursor;
        this.from = from;
        this.changes = writes.changes();
    }

    @Override
    public boolean next() {
        writes.requireUnchangedSince(changes);
        if (!step(writes, scratch, cursor, from, LMDB.MDB_NEXT)) {
            keyBytes = -1;
            return false;
        }
        from = null;
        keyAt = scratch.keyAt();
        keyBytes = scratch.keyBytes();
        valueAt = scratch.valueAt();
        valueBytes = scratch.valueBytes();
        return true;
    }

    /// Goes to where a cursor begins, or else one step further.
    static boolean step(LmdbWrites writes, Scratch scratch, long cursor, byte @Nullable [] from, int operation) {
        int code;
        if (from == null) {
            code = LMDB.nmdb_cursor_get(cursor, scratch.key(), scratch.value(), operation);
        } else if (from.length == 0) {
            code = LMDB.nmdb_cursor_get(cursor, scratch.key(), scratch.value(), LMDB.MDB_FIRST);
        } else {
            code = LMDB.nmdb_cursor_get(cursor, scratch.key(from), scratch.value(), LMDB.MDB_SET_RANGE);
        }
        if (code == LMDB.MDB_NOTFOUND) {
            return false;
        }
        writes.requireRead(code);
        return true;
    }

    @Override
    public byte[] key() {
        requireRow();
        return Raw.copy(Raw.MEMORY, keyAt, keyBytes);
    }

    @Override
    public byte[] value() {
        requireRow();
        return Raw.copy(Raw.MEMORY, valueAt, valueBytes);
    }

    private void requireRow() {
        writes.requireUnchangedSince(changes);
        if (keyBytes < 0) {
            throw new IllegalStateException("the cursor stands nowhere");
        }
    }
}
