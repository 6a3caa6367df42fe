package dev.grapnel.store.lmdb;

import static dev.grapnel.store.lmdb.Raw.u64;

/// Whether the nodes of a page lie side by side, without gap or overlap, from the upper bound of its free
/// space to its end: LMDB moves them as one block.
final class NodeTiling {
    private static final int OVERFLOW_RECORD = 24;

    private final Pages pages;
    /// Size of the node that begins at an offset, by half the offset, and in which round that was noted.
    private final int[] sizes;

    private final int[] rounds;
    private int round;

    NodeTiling(Pages pages) {
        this.pages = pages;
        this.sizes = new int[pages.space / 2 + 1];
        this.rounds = new int[pages.space / 2 + 1];
    }

    void require(Tree tree, long page, long head, boolean isBranch) {
        round++;
        int count = Pages.count(head);
        long start = (page << pages.shift) + Pages.HEADER;
        for (int i = 0; i < count; i++) {
            long node = pages.node(tree, page, head, i);
            int offset = (int) (node - start);
            long size = size(u64(pages.map, node), isBranch);
            if ((offset & 1) != 0 || offset + size > pages.space) {
                throw pages.damage(tree.name(), page, "has a node that does not fit into it");
            }
            sizes[offset >> 1] = (int) size;
            rounds[offset >> 1] = round;
        }
        int at = Pages.upper(head);
        int met = 0;
        while (at < pages.space && (at & 1) == 0 && rounds[at >> 1] == round) {
            at += sizes[at >> 1];
            met++;
        }
        if (at != pages.space || met != count) {
            throw pages.damage(tree.name(), page, "has nodes that overlap or leave gaps");
        }
    }

    /// Bytes of a node, an even number.
    private static long size(long word, boolean isBranch) {
        long bytes = Pages.NODE + (word >>> 48);
        if (!isBranch) {
            boolean isElsewhere = ((word >>> 32) & Pages.ON_OVERFLOW) != 0;
            bytes += (bytes & 1) + (isElsewhere ? OVERFLOW_RECORD : word & 0xffff_ffffL);
        }
        return bytes + (bytes & 1);
    }
}
