package dev.grapnel.store.lmdb;

import dev.grapnel.store.table.Table;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/// What one transaction left behind, and how many hold on to it. The newest commit is held by [Commits], so
/// it can be pinned without a lock; once a newer one came and its last holder let go, it can never be pinned
/// again.
final class Commit {
    private static final VarHandle PINS;

    static {
        try {
            PINS = MethodHandles.lookup().findVarHandle(Commit.class, "pins", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Meta meta;
    private final PageMap map;
    private final Pages pages;
    private final Tree[] trees;

    @SuppressWarnings("unused") // through the handle
    private volatile int pins = 1;

    /// LMDB's transaction that keeps the pages, 0 while there is none. Guarded by the lock of [Commits].
    long reader;

    /// When a newer commit came. Guarded by the lock of [Commits].
    long supersededAt;

    /// @param trees by [Roots#slot]
    Commit(Meta meta, PageMap map, Pages pages, Tree[] trees) {
        this.meta = meta;
        this.map = map;
        this.pages = pages;
        this.trees = trees;
    }

    Meta meta() {
        return meta;
    }

    PageMap map() {
        return map;
    }

    Pages pages() {
        return pages;
    }

    Tree tree(Table table) {
        return trees[Roots.slot(table)];
    }

    /// False if it is too late: then there is a newer one.
    boolean pin() {
        while (true) {
            int now = pins;
            if (now == 0) {
                return false;
            }
            if (PINS.compareAndSet(this, now, now + 1)) {
                return true;
            }
        }
    }

    void unpin() {
        PINS.getAndAdd(this, -1);
    }

    boolean isPinned() {
        return pins > 0;
    }
}
