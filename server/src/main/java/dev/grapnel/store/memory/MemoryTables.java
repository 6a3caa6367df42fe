package dev.grapnel.store.memory;

import dev.grapnel.store.table.ListCursor;
import dev.grapnel.store.table.Postings;
import dev.grapnel.store.table.ReadTables;
import dev.grapnel.store.table.RowCursor;
import dev.grapnel.store.table.Table;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// One state of all tables.
class MemoryTables implements ReadTables {
    private final Map<Table, Treap<byte[], byte[]>> rows;
    private final Map<Table, Treap<ListKey, Boolean>> lists;

    /// Every table empty.
    MemoryTables() {
        rows = new EnumMap<>(Table.class);
        lists = new EnumMap<>(Table.class);
        for (var table : Table.values()) {
            switch (table.form()) {
                case ROWS -> rows.put(table, Treap.empty(Arrays::compareUnsigned));
                case POSTINGS -> lists.put(table, Treap.empty(ListKey.ORDER));
            }
        }
    }

    /// The same state.
    MemoryTables(MemoryTables other) {
        rows = new EnumMap<>(other.rows);
        lists = new EnumMap<>(other.lists);
    }

    final Treap<byte[], byte[]> rows(Table table) {
        requireOpen();
        var found = rows.get(table);
        if (found == null) {
            throw new IllegalArgumentException(table + " has no rows");
        }
        return found;
    }

    final Treap<ListKey, Boolean> lists(Table table) {
        requireOpen();
        var found = lists.get(table);
        if (found == null) {
            throw new IllegalArgumentException(table + " has no posting lists");
        }
        return found;
    }

    final void setRows(Table table, Treap<byte[], byte[]> treap) {
        rows.put(table, treap);
    }

    final void setLists(Table table, Treap<ListKey, Boolean> treap) {
        lists.put(table, treap);
    }

    /// Whether this state may still be looked at.
    ///
    /// @throws IllegalStateException if not
    void requireOpen() {}

    static byte[] numberKey(long number) {
        return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
    }

    @Override
    public byte @Nullable [] find(Table table, byte[] key) {
        var value = rows(table).find(key);
        return value == null ? null : value.clone();
    }

    @Override
    public byte @Nullable [] find(Table table, long key) {
        return find(table, numberKey(key));
    }

    @Override
    public RowCursor rows(Table table, byte[] from) {
        var walk = rows(table).walk(from);
        return new RowCursor() {
            private boolean begun;

            @Override
            public boolean next() {
                requireOpen();
                if (begun && !walk.isDone()) {
                    walk.next();
                }
                begun = true;
                return !walk.isDone();
            }

            @Override
            public byte[] key() {
                return walk.key().clone();
            }

            @Override
            public byte[] value() {
                return walk.value().clone();
            }
        };
    }

    @Override
    public Postings postings(Table table, byte[] key) {
        return new MemoryPostings(this, lists(table), key.clone());
    }

    @Override
    public ListCursor lists(Table table, byte[] from) {
        var treap = lists(table);
        var walk = treap.walk(new ListKey(from.clone(), 0, 0));
        return new ListCursor() {
            private byte @Nullable [] list;

            @Override
            public boolean next() {
                requireOpen();
                if (list != null) {
                    walk.seek(new ListKey(list, -1, -1));
                    if (!walk.isDone() && walk.key().isIn(list)) {
                        walk.next();
                    }
                }
                list = walk.isDone() ? null : walk.key().list();
                return !walk.isDone();
            }

            @Override
            public byte[] key() {
                return walk.key().list();
            }

            @Override
            public Postings postings() {
                return new MemoryPostings(MemoryTables.this, treap, key());
            }
        };
    }

    @Override
    public long count(Table table) {
        return switch (table.form()) {
            case ROWS -> rows(table).size();
            case POSTINGS -> lists(table).size();
        };
    }
}
