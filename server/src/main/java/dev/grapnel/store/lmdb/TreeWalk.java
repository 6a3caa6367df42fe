package dev.grapnel.store.lmdb;

import org.jspecify.annotations.Nullable;

/// Goes through the nodes of a table in the order of their keys. Like [SnapshotPostings] it keeps no path:
/// at the last leaf below a branch it looks for the next one from the root.
final class TreeWalk {
    private final Pages pages;
    private final Tree tree;

    private long leaf;
    private long leafHead;
    private int index;
    private long parent = -1;
    private long parentHead;
    private int parentIndex;

    /// Where to begin, until the first step was made.
    private byte @Nullable [] from;

    private long node = -1;
    private boolean done;

    TreeWalk(Pages pages, Tree tree, byte[] from) {
        this.pages = pages;
        this.tree = tree;
        this.from = from;
        this.done = tree.isEmpty();
    }

    /// The node it stands at.
    long node() {
        if (node < 0) {
            throw new IllegalStateException("the cursor stands nowhere");
        }
        return node;
    }

    byte[] key() {
        try {
            var key = pages.key(node());
            pages.requireLive();
            return key;
        } catch (IndexOutOfBoundsException | InternalError e) {
            throw pages.damage(tree.name(), e);
        }
    }

    /// Goes to the next node; false when there is none.
    boolean next() {
        try {
            long before = node;
            if (!done) {
                step();
            }
            if (done) {
                node = -1;
            } else {
                node = pages.node(tree, leaf, leafHead, index);
                if (before >= 0 && pages.compare(before, node) >= 0) {
                    throw pages.damage(tree.name(), leaf, "has keys out of order");
                }
            }
            pages.requireLive();
            return !done;
        } catch (IndexOutOfBoundsException | InternalError e) {
            throw pages.damage(tree.name(), e);
        }
    }

    private void step() {
        if (from != null) {
            descend(from, false);
            from = null;
        } else if (++index < Pages.count(leafHead)) {
            return;
        } else if (parent < 0) {
            done = true;
        } else if (parentIndex + 1 < Pages.count(parentHead)) {
            parentIndex++;
            enterLeaf(pages.child(pages.node(tree, parent, parentHead, parentIndex)));
        } else {
            descend(pages.key(node), true);
        }
    }

    /// Goes from the root to the first node at or after a key, or after it.
    private void descend(byte[] key, boolean isPassed) {
        long prefix = Raw.prefix(key);
        long page = tree.root();
        long right = -1;
        int rightLevels = 0;
        for (int level = pages.requireDepth(tree); level > 1; level--) {
            long head = pages.head(tree, page, Pages.BRANCH);
            int child = pages.childIndex(tree, page, head, prefix, key, key.length);
            if (child + 1 < Pages.count(head)) {
                right = pages.child(pages.node(tree, page, head, child + 1));
                rightLevels = level - 1;
            }
            parent = page;
            parentHead = head;
            parentIndex = child;
            page = pages.child(pages.node(tree, page, head, child));
        }
        enterLeaf(page);
        index = pages.leafIndex(tree, leaf, leafHead, prefix, key, key.length);
        if (isPassed && index < Pages.count(leafHead) && isAt(prefix, key)) {
            index++;
        }
        if (index == Pages.count(leafHead)) {
            if (right < 0) {
                done = true;
            } else {
                parentIndex++;
                enterFirst(right, rightLevels);
            }
        }
    }

    private boolean isAt(long prefix, byte[] key) {
        return pages.compare(pages.node(tree, leaf, leafHead, index), prefix, key, key.length) == 0;
    }

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
        leaf = page;
        leafHead = pages.head(tree, page, Pages.LEAF);
        index = 0;
    }
}
