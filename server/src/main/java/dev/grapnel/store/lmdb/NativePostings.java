package dev.grapnel.store.lmdb;

import static dev.grapnel.store.lmdb.Raw.MEMORY;
import static dev.grapnel.store.lmdb.Raw.big;

import dev.grapnel.store.table.Postings;
import dev.grapnel.store.table.Table;
import org.lwjgl.util.lmdb.LMDB;

/// A posting list as a transaction sees it that may have changed it. LMDB hands out whole pages of packed
/// postings; only a list that has more than one page needs a cursor of its own.
final class NativePostings implements Postings {
    private final LmdbWrites writes;
    private final Scratch scratch;
    private final int changes;
    private final byte[] key;
    private final long size;
    /// 0 if the whole list is at [#base].
    private final long cursor;

    private long base;
    private int count;
    private int index;

    private NativePostings(
            LmdbWrites writes, Scratch scratch, byte[] key, long size, long cursor, long base, int count) {
        this.writes = writes;
        this.scratch = scratch;
        this.changes = writes.changes();
        this.key = key;
        this.size = size;
        this.cursor = cursor;
        this.base = base;
        this.count = count;
    }

    static NativePostings open(LmdbWrites writes, Scratch scratch, Table table, byte[] key) {
        long lookup = writes.lookup(table);
        if (key.length == 0 || key.length > Table.KEY_BYTES_MAX || !isSet(writes, scratch, lookup, key)) {
            return new NativePostings(writes, scratch, key, 0, 0, 0, 0);
        }
        writes.requireRead(LMDB.nmdb_cursor_count(lookup, scratch.result()));
        long size = scratch.resultAddress();
        if (size == 1) {
            return new NativePostings(writes, scratch, key, size, 0, scratch.valueAt(), 1);
        }
        writes.requireRead(LMDB.nmdb_cursor_get(lookup, scratch.key(), scratch.value(), LMDB.MDB_GET_MULTIPLE));
        if (scratch.valueBytes() == size * SnapshotPostings.BYTES) {
            return new NativePostings(writes, scratch, key, size, 0, scratch.valueAt(), (int) size);
        }
        long cursor = writes.open(table);
        isSet(writes, scratch, cursor, key);
        var postings = new NativePostings(writes, scratch, key.clone(), size, cursor, 0, 0);
        postings.takePage(LMDB.MDB_GET_MULTIPLE);
        return postings;
    }

    private static boolean isSet(LmdbWrites writes, Scratch scratch, long cursor, byte[] key) {
        int code = LMDB.nmdb_cursor_get(cursor, scratch.key(key), scratch.value(), LMDB.MDB_SET);
        if (code == LMDB.MDB_NOTFOUND) {
            return false;
        }
        writes.requireRead(code);
        return true;
    }

    @Override
    public boolean isDone() {
        return index >= count;
    }

    @Override
    public long high() {
        return highAt(index);
    }

    @Override
    public long low() {
        writes.requireUnchangedSince(changes);
        return big(MEMORY, base + (long) SnapshotPostings.BYTES * index + 8);
    }

    private long highAt(int i) {
        writes.requireUnchangedSince(changes);
        if (i >= count) {
            throw new IllegalStateException("the list is at its end");
        }
        return big(MEMORY, base + (long) SnapshotPostings.BYTES * i);
    }

    @Override
    public void next() {
        if (++index == count && cursor != 0) {
            takePage(LMDB.MDB_NEXT_MULTIPLE);
        }
    }

    @Override
    public void seek(long high, long low) {
        if (isDone() || !isBefore(high, low)) {
            return;
        }
        int last = count - 1;
        int here = index;
        index = last;
        if (isBefore(high, low)) {
            seekBeyondPage(high, low);
        } else {
            index = firstNotBefore(here, last, high, low);
        }
    }

    private void seekBeyondPage(long high, long low) {
        index = count;
        if (cursor == 0) {
            return;
        }
        int code = LMDB.nmdb_cursor_get(cursor, scratch.key(key), scratch.posting(high, low), LMDB.MDB_GET_BOTH_RANGE);
        if (code == LMDB.MDB_NOTFOUND) {
            count = 0;
            index = 0;
            return;
        }
        writes.requireRead(code);
        takePage(LMDB.MDB_GET_MULTIPLE);
        index = count - 1;
        index = isBefore(high, low) ? count : firstNotBefore(-1, count - 1, high, low);
    }

    /// Between one that is before the wanted posting and one that is not.
    private int firstNotBefore(int before, int notBefore, long high, long low) {
        int below = before;
        int above = notBefore;
        while (above - below > 1) {
            index = (below + above) >>> 1;
            if (isBefore(high, low)) {
                below = index;
            } else {
                above = index;
            }
        }
        return above;
    }

    private void takePage(int operation) {
        writes.requireUnchangedSince(changes);
        int code = LMDB.nmdb_cursor_get(cursor, scratch.key(), scratch.value(), operation);
        index = 0;
        if (code == LMDB.MDB_NOTFOUND) {
            count = 0;
        } else {
            writes.requireRead(code);
            base = scratch.valueAt();
            count = scratch.valueBytes() / SnapshotPostings.BYTES;
        }
    }

    @Override
    public long size() {
        return size;
    }
}
