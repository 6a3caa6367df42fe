package dev.grapnel.store.lmdb;

import dev.grapnel.store.table.ListCursor;
import dev.grapnel.store.table.Postings;
import dev.grapnel.store.table.Table;
import org.jspecify.annotations.Nullable;
import org.lwjgl.util.lmdb.LMDB;

/// Posting lists as a transaction sees them that may have changed some.
final class NativeLists implements ListCursor {
    private final LmdbWrites writes;
    private final Scratch scratch;
    private final Table table;
    private final long cursor;
    private final int changes;
    private byte @Nullable [] from;
    private byte @Nullable [] key;

    NativeLists(LmdbWrites writes, Scratch scratch, Table table, long cursor, byte[] from) {
        this.writes = writes;
        this.scratch = scratch;
        this.table = table;
        this.cursor = cursor;
        this.from = from;
        this.changes = writes.changes();
    }

    @Override
    public boolean next() {
        writes.requireUnchangedSince(changes);
        boolean found = NativeRows.step(writes, scratch, cursor, from, LMDB.MDB_NEXT_NODUP);
        from = found ? null : from;
        key = found ? scratch.copyOfKey() : null;
        return found;
    }

    @Override
    public byte[] key() {
        return requireKey().clone();
    }

    @Override
    public Postings postings() {
        writes.requireUnchangedSince(changes);
        return NativePostings.open(writes, scratch, table, requireKey());
    }

    private byte[] requireKey() {
        if (key == null) {
            throw new IllegalStateException("the cursor stands nowhere");
        }
        return key;
    }
}
