package dev.grapnel.store.lmdb;

import dev.grapnel.store.table.ListCursor;
import dev.grapnel.store.table.Postings;
import dev.grapnel.store.table.RowCursor;
import dev.grapnel.store.table.Table;
import dev.grapnel.store.table.TableSnapshot;
import org.jspecify.annotations.Nullable;

/// Reads one commit.
final class LmdbSnapshot implements TableSnapshot {
    private final Commit commit;
    private final Pages pages;
    private boolean closed;

    /// @param commit already pinned
    LmdbSnapshot(Commit commit) {
        this.commit = commit;
        this.pages = commit.pages();
    }

    @Override
    public byte @Nullable [] find(Table table, byte[] key) {
        return find(tree(table, Table.Form.ROWS), Raw.prefix(key), key, key.length);
    }

    @Override
    public byte @Nullable [] find(Table table, long key) {
        return find(tree(table, Table.Form.ROWS), key, null, Long.BYTES);
    }

    private byte @Nullable [] find(Tree tree, long prefix, byte @Nullable [] key, int length) {
        try {
            long node = pages.find(tree, prefix, key, length);
            if (node >= 0) {
                return pages.value(tree, node);
            }
            pages.requireLive();
            return null;
        } catch (IndexOutOfBoundsException | InternalError e) {
            throw pages.damage(tree.name(), e);
        }
    }

    @Override
    public RowCursor rows(Table table, byte[] from) {
        return new Rows(pages, tree(table, Table.Form.ROWS), from);
    }

    @Override
    public Postings postings(Table table, byte[] key) {
        var tree = tree(table, Table.Form.POSTINGS);
        try {
            long node = pages.find(tree, Raw.prefix(key), key, key.length);
            if (node >= 0) {
                return SnapshotPostings.open(pages, tree, node);
            }
            pages.requireLive();
            return SnapshotPostings.empty(pages, tree);
        } catch (IndexOutOfBoundsException | InternalError e) {
            throw pages.damage(tree.name(), e);
        }
    }

    @Override
    public ListCursor lists(Table table, byte[] from) {
        return new Lists(pages, tree(table, Table.Form.POSTINGS), from);
    }

    @Override
    public long count(Table table) {
        var tree = tree(table, table.form());
        if (!tree.isEmpty()) {
            pages.requireDepth(tree);
        }
        pages.requireLive();
        return tree.entries();
    }

    private Tree tree(Table table, Table.Form form) {
        if (closed) {
            throw new IllegalStateException("the snapshot is closed");
        }
        if (table.form() != form) {
            throw new IllegalArgumentException("table " + table.storedName() + " has no " + form);
        }
        return commit.tree(table);
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            commit.unpin();
        }
    }

    private static final class Rows implements RowCursor {
        private final Pages pages;
        private final Tree tree;
        private final TreeWalk walk;

        Rows(Pages pages, Tree tree, byte[] from) {
            this.pages = pages;
            this.tree = tree;
            this.walk = new TreeWalk(pages, tree, from);
        }

        @Override
        public boolean next() {
            return walk.next();
        }

        @Override
        public byte[] key() {
            return walk.key();
        }

        @Override
        public byte[] value() {
            try {
                return pages.value(tree, walk.node());
            } catch (IndexOutOfBoundsException | InternalError e) {
                throw pages.damage(tree.name(), e);
            }
        }
    }

    private static final class Lists implements ListCursor {
        private final Pages pages;
        private final Tree tree;
        private final TreeWalk walk;

        Lists(Pages pages, Tree tree, byte[] from) {
            this.pages = pages;
            this.tree = tree;
            this.walk = new TreeWalk(pages, tree, from);
        }

        @Override
        public boolean next() {
            return walk.next();
        }

        @Override
        public byte[] key() {
            return walk.key();
        }

        @Override
        public Postings postings() {
            try {
                return SnapshotPostings.open(pages, tree, walk.node());
            } catch (IndexOutOfBoundsException | InternalError e) {
                throw pages.damage(tree.name(), e);
            }
        }
    }
}
