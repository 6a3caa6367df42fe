package dev.grapnel.store.lmdb;

import static dev.grapnel.store.lmdb.Raw.u64;

/// The pages that nothing uses any more, which LMDB keeps in a tree of their own: transaction → list of page
/// numbers.
final class FreeList {
    private FreeList() {}

    /// How many there are.
    static long pages(Pages pages, Tree tree) {
        return tree.isEmpty() ? 0 : pages(pages, tree, tree.root(), pages.requireDepth(tree));
    }

    private static long pages(Pages pages, Tree tree, long page, int levels) {
        boolean isLeaf = levels == 1;
        long head = pages.head(tree, page, isLeaf ? Pages.LEAF : Pages.BRANCH);
        long sum = 0;
        for (int i = 0; i < Pages.count(head); i++) {
            long node = pages.node(tree, page, head, i);
            sum += isLeaf ? u64(pages.map, data(pages, tree, node)) : pages(pages, tree, pages.child(node), levels - 1);
        }
        return sum;
    }

    /// Where the list of a node is: first the number of pages, then the pages, last first.
    static long data(Pages pages, Tree tree, long node) {
        long word = u64(pages.map, node);
        long bytes = word & 0xffff_ffffL;
        int flags = (int) (word >>> 32) & 0xffff;
        long at = flags == Pages.ON_OVERFLOW
                ? pages.overflow(tree, node, Pages.data(node, word), bytes)
                : pages.listData(tree, node, word, Long.BYTES);
        if (bytes < Long.BYTES || (flags & ~Pages.ON_OVERFLOW) != 0) {
            throw pages.damage(tree.name(), pages.pageOf(node), "has a record that is no list of pages");
        }
        long count = u64(pages.map, at);
        if (count < 0 || count > bytes / Long.BYTES - 1) {
            throw pages.damage(tree.name(), pages.pageOf(node), "has a list of pages that does not fit into it");
        }
        return at;
    }
}
