package dev.grapnel.store.memory;

import dev.grapnel.store.table.Postings;

/// One posting list.
final class MemoryPostings implements Postings {
    private final MemoryTables tables;
    private final Treap<ListKey, Boolean> treap;
    private final byte[] list;
    private final Treap.Walk<ListKey, Boolean> walk;

    MemoryPostings(MemoryTables tables, Treap<ListKey, Boolean> treap, byte[] list) {
        this.tables = tables;
        this.treap = treap;
        this.list = list;
        this.walk = treap.walk(new ListKey(list, 0, 0));
    }

    @Override
    public boolean isDone() {
        tables.requireOpen();
        return walk.isDone() || !walk.key().isIn(list);
    }

    @Override
    public long high() {
        return walk.key().high();
    }

    @Override
    public long low() {
        return walk.key().low();
    }

    @Override
    public void next() {
        walk.next();
    }

    @Override
    public void seek(long high, long low) {
        if (!isDone() && isBefore(high, low)) {
            walk.seek(new ListKey(list, high, low));
        }
    }

    @Override
    public long size() {
        var last = new ListKey(list, -1, -1);
        long before = treap.countBefore(new ListKey(list, 0, 0));
        return treap.countBefore(last) - before + (treap.find(last) == null ? 0 : 1);
    }
}
