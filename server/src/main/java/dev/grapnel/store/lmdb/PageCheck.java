package dev.grapnel.store.lmdb;

import static dev.grapnel.store.lmdb.Raw.big;
import static dev.grapnel.store.lmdb.Raw.u64;

import dev.grapnel.store.table.StoreDamage;
import java.util.ArrayList;
import java.util.List;

/// Walks through all pages of a commit and tells what is wrong with them.
///
/// LMDB keeps no checksums and trusts what it finds: a wrong pointer or size makes it read or write outside
/// of its memory. So this looks at everything LMDB's own code relies on: page headers, pointers, sizes of
/// nodes, which must fill their page without gaps, order of keys within and across pages, counts, that no
/// page is used twice, and the lists of free pages. A changed byte within a key or a value that breaks none
/// of this cannot be seen here.
final class PageCheck {
    /// How many problems are told.
    static final int PROBLEMS_MAX = 100;

    private enum Kind {
        FREE,
        TABLES,
        ROWS,
        POSTINGS,
        LIST
    }

    private final Pages pages;
    private final Meta meta;
    private final List<String> problems = new ArrayList<>();
    private final long[] used;
    private final List<Tree> tables = new ArrayList<>();
    private final NodeTiling tiling;
    private long problemCount;

    /// Counted of the current tree.
    private Counts counts = new Counts();

    /// Last key met in the current tree, as a node; -1 before the first. A branch's key may be met again in
    /// its child.
    private long before = -1;

    private boolean isBound;

    /// The same of the current list, whose keys are postings.
    private boolean hasPosting;

    private boolean isPostingBound;
    private long high;
    private long low;

    private PageCheck(Commit commit) {
        this.pages = commit.pages();
        this.meta = commit.meta();
        this.tiling = new NodeTiling(pages);
        this.used = new long[(int) ((pages.pageMax + 1) / 64 + 1)];
    }

    /// What is wrong; nothing, if all is sound.
    static List<String> problems(Commit commit) {
        var check = new PageCheck(commit);
        check.run();
        if (check.problemCount > PROBLEMS_MAX) {
            check.problems.add("and " + (check.problemCount - PROBLEMS_MAX) + " problems more");
        }
        return List.copyOf(check.problems);
    }

    private void run() {
        try {
            MetaChoice.problems(pages.map, meta).forEach(this::report);
            trees();
        } catch (IndexOutOfBoundsException | InternalError e) {
            report(String.valueOf(pages.damage("(unknown)", e).getMessage()));
        }
        pages.requireLive();
    }

    private void trees() {
        tree(meta.main(), Kind.TABLES);
        for (var table : List.copyOf(tables)) {
            tree(table, table.flags() == Roots.ROWS ? Kind.ROWS : Kind.POSTINGS);
        }
        tree(meta.free(), Kind.FREE);
    }

    private void report(String problem) {
        problemCount++;
        if (problems.size() < PROBLEMS_MAX) {
            problems.add(problem);
        }
    }

    private RuntimeException damage(Tree tree, long page, String what) {
        return pages.damage(tree.name(), page, what);
    }

    private void tree(Tree tree, Kind kind) {
        long problemsBefore = problemCount;
        counts = new Counts();
        before = -1;
        isBound = false;
        try {
            if (!tree.isEmpty()) {
                walk(tree, kind, tree.root(), pages.requireDepth(tree));
            } else if (tree.depth() != 0) {
                report("table " + tree.name() + ": it has levels but no root");
            }
        } catch (StoreDamage e) {
            report(message(e));
        }
        if (problemCount == problemsBefore && !counts.areThoseOf(tree, kind)) {
            report("table " + tree.name() + ": it has " + counts + ", but states otherwise");
        }
    }

    /// A list's tree within a table's.
    private void list(Tree tree) {
        var outer = counts;
        long problemsBefore = problemCount;
        counts = new Counts();
        hasPosting = false;
        if (tree.isEmpty() || tree.pad() != SnapshotPostings.BYTES || tree.flags() != (Roots.POSTINGS & ~4)) {
            throw damage(tree, tree.root(), "is no root of a list");
        }
        walk(tree, Kind.LIST, tree.root(), pages.requireDepth(tree));
        if (problemCount == problemsBefore && !counts.areThoseOf(tree, Kind.LIST)) {
            report("table " + tree.name() + ": a list has " + counts + ", but states otherwise");
        }
        outer.add(counts);
        counts = outer;
    }

    private void walk(Tree tree, Kind kind, long page, int levels) {
        pages.requireLive();
        if (levels > 1) {
            branch(tree, kind, page, levels);
        } else if (kind == Kind.LIST) {
            long head = pages.head(tree, page, Pages.LEAF | Pages.PACKED);
            use(tree, page, 1);
            counts.leaves++;
            packed(tree, page, (page << pages.shift) + Pages.HEADER, Pages.count(head));
        } else {
            leaf(tree, kind, page);
        }
    }

    private void branch(Tree tree, Kind kind, long page, int levels) {
        long head = pages.head(tree, page, Pages.BRANCH);
        use(tree, page, 1);
        counts.branches++;
        tiling.require(tree, page, head, true);
        for (int i = 0; i < Pages.count(head); i++) {
            long node = pages.node(tree, page, head, i);
            try {
                if (i > 0) {
                    bound(tree, kind, page, node);
                }
                walk(tree, kind, pages.child(node), levels - 1);
            } catch (StoreDamage e) {
                report(message(e));
            }
        }
    }

    private static String message(StoreDamage damage) {
        return String.valueOf(damage.getMessage());
    }

    /// The key of a branch is above all before it, and not above what follows.
    private void bound(Tree tree, Kind kind, long page, long node) {
        if (kind == Kind.LIST) {
            if (pages.keyBytes(node) != SnapshotPostings.BYTES) {
                throw damage(tree, page, "has a posting of another size");
            }
            posting(tree, page, node + Pages.NODE);
            isPostingBound = true;
        } else {
            key(tree, kind, page, node);
            isBound = true;
        }
    }

    private void key(Tree tree, Kind kind, long page, long node) {
        if (kind == Kind.FREE ? pages.keyBytes(node) != Long.BYTES : pages.keyBytes(node) == 0) {
            throw damage(tree, page, "has a key of impossible size");
        }
        if (before >= 0) {
            int order = kind == Kind.FREE
                    ? Long.compareUnsigned(u64(pages.map, before + Pages.NODE), u64(pages.map, node + Pages.NODE))
                    : pages.compare(before, node);
            if (order > 0 || (order == 0 && !isBound)) {
                throw damage(tree, page, "has keys out of order");
            }
        }
        before = node;
        isBound = false;
    }

    private void posting(Tree tree, long page, long at) {
        long nextHigh = big(pages.map, at);
        long nextLow = big(pages.map, at + 8);
        if (hasPosting) {
            int order = Long.compareUnsigned(high, nextHigh);
            order = order == 0 ? Long.compareUnsigned(low, nextLow) : order;
            if (order > 0 || (order == 0 && !isPostingBound)) {
                throw damage(tree, page, "has postings out of order");
            }
        }
        high = nextHigh;
        low = nextLow;
        hasPosting = true;
        isPostingBound = false;
    }

    private void packed(Tree tree, long page, long at, int count) {
        for (int i = 0; i < count; i++) {
            posting(tree, page, at + (long) SnapshotPostings.BYTES * i);
        }
        counts.entries += count;
    }

    private void leaf(Tree tree, Kind kind, long page) {
        long head = pages.head(tree, page, Pages.LEAF);
        use(tree, page, 1);
        counts.leaves++;
        tiling.require(tree, page, head, false);
        for (int i = 0; i < Pages.count(head); i++) {
            long node = pages.node(tree, page, head, i);
            key(tree, kind, page, node);
            switch (kind) {
                case FREE -> free(tree, page, node);
                case ROWS -> row(tree, page, node);
                case TABLES -> table(tree, page, node);
                case POSTINGS, LIST -> postings(tree, page, node);
            }
        }
    }

    private void row(Tree tree, long page, long node) {
        long word = u64(pages.map, node);
        int flags = (int) (word >>> 32) & 0xffff;
        counts.entries++;
        if (flags == Pages.ON_OVERFLOW) {
            long record = Pages.data(node, word);
            pages.overflow(tree, node, record, word & 0xffff_ffffL);
            long first = u64(pages.map, record);
            if (u64(pages.map, record + 8) != u64(pages.map, (first << pages.shift) + 8)) {
                throw damage(tree, page, "and its overflow page are of different transactions");
            }
            long count = u64(pages.map, record + 16);
            use(tree, first, count);
            counts.overflows += count;
        } else if (flags != 0) {
            throw damage(tree, page, "has a node that is no row");
        }
    }

    private void table(Tree tree, long page, long node) {
        long word = u64(pages.map, node);
        counts.entries++;
        if (((word >>> 32) & 0xffff) != Pages.IS_TREE || (word & 0xffff_ffffL) != Tree.BYTES) {
            throw damage(tree, page, "has a node that is no table");
        }
        var name = Roots.name(pages.key(node));
        var found = Tree.read(name, pages.map, Pages.data(node, word));
        if (found.pad() != 0 || (found.flags() != Roots.ROWS && found.flags() != Roots.POSTINGS)) {
            throw damage(tree, page, "has a table of an unknown kind");
        }
        if (!Roots.isKindRight(name, found.flags())) {
            throw damage(tree, page, "has table " + name + " as one of another kind");
        }
        tables.add(found);
    }

    private void postings(Tree tree, long page, long node) {
        long word = u64(pages.map, node);
        int flags = (int) (word >>> 32) & 0xffff;
        long bytes = word & 0xffff_ffffL;
        long at = Pages.data(node, word);
        hasPosting = false;
        if (flags == 0 && bytes == SnapshotPostings.BYTES) {
            counts.entries++;
        } else if (flags == Pages.IS_LIST && bytes >= Pages.HEADER + SnapshotPostings.BYTES) {
            packed(tree, page, at + Pages.HEADER, Pages.count(pages.subHead(tree, node, at, bytes)));
        } else if (flags == (Pages.IS_LIST | Pages.IS_TREE) && bytes == Tree.BYTES) {
            var list = Tree.read(tree.name(), pages.map, at);
            list(list);
        } else {
            throw damage(tree, page, "has a list of an unknown kind");
        }
    }

    private void free(Tree tree, long page, long node) {
        row(tree, page, node);
        if (Long.compareUnsigned(u64(pages.map, node + Pages.NODE), pages.transaction) > 0) {
            throw damage(tree, page, "has pages freed by a later transaction");
        }
        long at = FreeList.data(pages, tree, node);
        long above = meta.lastPage() + 1;
        long count = u64(pages.map, at);
        for (long i = 1; i <= count; i++) {
            long freed = u64(pages.map, at + Long.BYTES * i);
            if (freed < 2 || freed >= above) {
                throw damage(tree, page, "frees impossible pages");
            }
            above = freed;
            if (freed <= pages.pageMax) {
                use(tree, freed, 1);
            }
        }
    }

    private void use(Tree tree, long page, long count) {
        for (long i = page; i < page + count; i++) {
            int word = (int) (i >>> 6);
            if ((used[word] & 1L << i) != 0) {
                throw damage(tree, i, "is used twice");
            }
            used[word] |= 1L << i;
        }
    }

    /// What a tree states about itself.
    private static final class Counts {
        long branches;
        long leaves;
        long overflows;
        long entries;

        /// A table's counts include those of its lists.
        void add(Counts list) {
            branches += list.branches;
            leaves += list.leaves;
            overflows += list.overflows;
            entries += list.entries;
        }

        /// When the last posting of a list leaves that had pages of its own, LMDB forgets to take the last of
        /// them off the count of the table. It uses that count for nothing.
        boolean areThoseOf(Tree tree, Kind kind) {
            return branches == tree.branches()
                    && (leaves == tree.leaves() || (kind == Kind.POSTINGS && leaves < tree.leaves()))
                    && overflows == tree.overflows()
                    && entries == tree.entries();
        }

        @Override
        public String toString() {
            return entries + " entries on " + branches + " + " + leaves + " + " + overflows + " pages";
        }
    }
}
