package dev.grapnel.store.lmdb;

import static dev.grapnel.store.lmdb.Raw.big;
import static dev.grapnel.store.lmdb.Raw.u64;

import dev.grapnel.store.table.Postings;
import java.lang.foreign.MemorySegment;

/// One posting list of a commit. It stands in a page of packed postings, or in the node of its table; at the
/// end of a page it goes to the next one below the same branch, and at the end of that it looks for its way
/// from the root again, which costs little and needs no path to be kept: queries open thousands of lists.
final class SnapshotPostings implements Postings {
    static final int BYTES = 16;

    private static final int PACKED_LEAF = Pages.LEAF | Pages.PACKED;

    private final Pages pages;
    private final MemorySegment map;
    /// The list's own tree; of a list without one, its table's.
    private final Tree tree;
    private final long size;

    /// First posting of the current page, number of postings there, and which is the current one.
    private long base;

    private int count;
    private int index;
    private boolean done;
    private long high;
    private long low;

    /// Branch above the current page, its header, and which of its children the page is; -1 if there is
    /// none.
    private long parent = -1;

    private long parentHead;
    private int parentIndex;

    private SnapshotPostings(Pages pages, Tree tree, long base, int count) {
        this.pages = pages;
        this.map = pages.map;
        this.tree = tree;
        this.base = base;
        this.count = count;
        this.size = count;
        if (count == 0) {
            done = true;
        } else {
            load();
        }
    }

    private SnapshotPostings(Pages pages, Tree tree) {
        this.pages = pages;
        this.map = pages.map;
        this.tree = tree;
        this.size = tree.entries();
        enterFirst(tree.root(), pages.requireDepth(tree));
        load();
    }

    static SnapshotPostings empty(Pages pages, Tree table) {
        return new SnapshotPostings(pages, table, 0, 0);
    }

    /// The list of a node of a table of postings.
    static SnapshotPostings open(Pages pages, Tree table, long node) {
        long word = u64(pages.map, node);
        int flags = (int) (word >>> 32) & 0xffff;
        if (flags == 0) {
            return new SnapshotPostings(pages, table, pages.listData(table, node, word, BYTES), 1);
        }
        if (flags == Pages.IS_LIST) {
            long at = pages.listData(table, node, word, Pages.HEADER + BYTES);
            long head = pages.subHead(table, node, at, word & 0xffff_ffffL);
            return new SnapshotPostings(pages, table, at + Pages.HEADER, Pages.count(head));
        }
        if (flags == (Pages.IS_LIST | Pages.IS_TREE)) {
            var tree = Tree.read(table.name(), pages.map, pages.listData(table, node, word, Tree.BYTES));
            return new SnapshotPostings(pages, tree);
        }
        throw pages.damage(table.name(), pages.pageOf(node), "has a list of an unknown kind");
    }

    @Override
    public boolean isDone() {
        return done;
    }

    @Override
    public long high() {
        return high;
    }

    @Override
    public long low() {
        return low;
    }

    @Override
    public long size() {
        return size;
    }

    @Override
    public void next() {
        try {
            if (++index < count) {
                advance();
            } else {
                nextPage();
            }
        } catch (IndexOutOfBoundsException | InternalError e) {
            throw pages.damage(tree.name(), e);
        }
    }

    @Override
    public void seek(long wantedHigh, long wantedLow) {
        if (done || !isBefore(wantedHigh, wantedLow)) {
            return;
        }
        try {
            if (isBelow(count - 1, wantedHigh, wantedLow)) {
                seekBeyondPage(wantedHigh, wantedLow);
            } else {
                index = gallop(wantedHigh, wantedLow);
                advance();
            }
        } catch (IndexOutOfBoundsException | InternalError e) {
            throw pages.damage(tree.name(), e);
        }
    }

    /// First index after the current one that is not below what is wanted, which some on this page are not.
    private int gallop(long wantedHigh, long wantedLow) {
        int below = index;
        int step = 1;
        while (below + step < count - 1 && isBelow(below + step, wantedHigh, wantedLow)) {
            below += step;
            step <<= 1;
        }
        int above = Math.min(below + step, count - 1);
        while (above - below > 1) {
            int middle = (below + above) >>> 1;
            if (isBelow(middle, wantedHigh, wantedLow)) {
                below = middle;
            } else {
                above = middle;
            }
        }
        return above;
    }

    private boolean isBelow(int i, long wantedHigh, long wantedLow) {
        long at = base + (long) BYTES * i;
        return isLess(big(map, at), big(map, at + 8), wantedHigh, wantedLow);
    }

    private static boolean isLess(long high, long low, long otherHigh, long otherLow) {
        return high != otherHigh ? Long.compareUnsigned(high, otherHigh) < 0 : Long.compareUnsigned(low, otherLow) < 0;
    }

    private void load() {
        long at = base + (long) BYTES * index;
        high = big(map, at);
        low = big(map, at + 8);
        pages.requireLive();
    }

    /// Takes the posting at the index, which must come after the one before: so damage cannot make it run
    /// for ever.
    private void advance() {
        long at = base + (long) BYTES * index;
        long nextHigh = big(map, at);
        long nextLow = big(map, at + 8);
        if (!isLess(high, low, nextHigh, nextLow)) {
            throw pages.damage(tree.name(), pages.pageOf(at), "has postings out of order");
        }
        pages.requireLive();
        high = nextHigh;
        low = nextLow;
    }

    private void nextPage() {
        if (parent < 0) {
            finish(); // all are on this page
        } else if (parentIndex + 1 < Pages.count(parentHead)) {
            parentIndex++;
            enterLeaf(pages.child(pages.node(tree, parent, parentHead, parentIndex)));
            advance();
        } else {
            descend(high, low);
            if (!done) {
                advance();
            }
        }
    }

    private long highAt(int i) {
        return big(map, base + (long) BYTES * i);
    }

    private long lowAt(int i) {
        return big(map, base + (long) BYTES * i + 8);
    }

    private void seekBeyondPage(long wantedHigh, long wantedLow) {
        if (parent < 0) {
            finish();
            return;
        }
        descend(wantedHigh, wantedLow);
        if (!done) {
            advance();
        }
    }

    private void finish() {
        pages.requireLive();
        done = true;
    }

    /// Goes from the root to the first posting at or after the given one; there may be none. The current
    /// one, when it is asked for as the last of its page, is passed over.
    private void descend(long wantedHigh, long wantedLow) {
        long page = tree.root();
        long right = -1;
        int rightLevel = 0;
        for (int level = tree.depth(); level > 1; level--) {
            long head = pages.head(tree, page, Pages.BRANCH);
            int child = childIndex(page, head, wantedHigh, wantedLow);
            if (child + 1 < Pages.count(head)) {
                right = pages.child(pages.node(tree, page, head, child + 1));
                rightLevel = level - 1;
            }
            parent = page;
            parentHead = head;
            parentIndex = child;
            page = pages.child(pages.node(tree, page, head, child));
        }
        enterLeaf(page);
        index = firstNotBelow(wantedHigh, wantedLow);
        boolean isOnlyCurrent = index == count - 1 && highAt(index) == high && lowAt(index) == low;
        if (index == count || isOnlyCurrent) {
            if (right < 0) {
                finish();
            } else {
                parentIndex++;
                enterFirst(right, rightLevel);
            }
        }
    }

    private int firstNotBelow(long wantedHigh, long wantedLow) {
        int below = -1;
        int above = count;
        while (above - below > 1) {
            int middle = (below + above) >>> 1;
            if (isBelow(middle, wantedHigh, wantedLow)) {
                below = middle;
            } else {
                above = middle;
            }
        }
        return above;
    }

    private int childIndex(long page, long head, long wantedHigh, long wantedLow) {
        int below = 0;
        int above = Pages.count(head);
        while (above - below > 1) {
            int middle = (below + above) >>> 1;
            long node = pages.node(tree, page, head, middle);
            if (pages.keyBytes(node) != BYTES) {
                throw pages.damage(tree.name(), page, "has a posting of another size");
            }
            long at = node + Pages.NODE;
            if (isLess(wantedHigh, wantedLow, big(map, at), big(map, at + 8))) {
                above = middle;
            } else {
                below = middle;
            }
        }
        return below;
    }

    /// Goes to the first posting below a page that has this many levels, itself included.
    private void enterFirst(long page, int levels) {
        long next = page;
        for (int level = levels; level > 1; level--) {
            parent = next;
            parentHead = pages.head(tree, next, Pages.BRANCH);
            parentIndex = 0;
            next = pages.child(pages.node(tree, next, parentHead, 0));
        }
        enterLeaf(next);
    }

    private void enterLeaf(long page) {
        long head = pages.head(tree, page, PACKED_LEAF);
        base = (page << pages.shift) + Pages.HEADER;
        count = Pages.count(head);
        index = 0;
    }
}
