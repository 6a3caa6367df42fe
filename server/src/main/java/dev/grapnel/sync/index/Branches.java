package dev.grapnel.sync.index;

/// The parts of threads that hang from one event each, which tags the root directly (R3.22), and their nodes: a
/// member at a depth of a branch. Rows of removed nodes are used again; nobody outside knows them.
final class Branches {
    static final int NONE = -1;

    private static final int ROOT = 0;
    private static final int COUNT = 1;
    private static final int FIRST = 2;
    private static final int LAST = 3;
    private static final int WIDTH = 4;

    /// And above it the depth.
    private static final int MEMBER = 0;

    private static final int BRANCH = 1;
    private static final int NEXT = 2;
    private static final int SIBLING = 3;
    private static final int PLACE = 4;
    private static final int CREATED = 5;
    private static final int NODE_WIDTH = 6;

    /// [IndexLimits] leaves this much room for members and for depths.
    private static final int MEMBER_BITS = 27;

    private static final int MEMBER_MASK = (1 << MEMBER_BITS) - 1;

    private final Cells rows;
    private final Cells nodes;
    private final Members members;
    private int count;
    private int nodeCount;
    private int free = NONE;

    Branches(IndexTables tables, Members members) {
        this.rows = new Cells(tables, "branches");
        this.nodes = new Cells(tables, "nodes");
        this.members = members;
    }

    /// Whether there may be one more node.
    boolean hasRoom(int nodesMax) {
        return free != NONE || nodeCount < nodesMax;
    }

    /// A new branch below a root.
    int add(int root) {
        int branch = count;
        count++;
        rows.set(cell(branch, ROOT), root);
        rows.set(cell(branch, COUNT), 0);
        rows.set(cell(branch, FIRST), NONE);
        rows.set(cell(branch, LAST), NONE);
        return branch;
    }

    int root(int branch) {
        return rows.get(cell(branch, ROOT));
    }

    /// How many stand below the event that the branch hangs from.
    int size(int branch) {
        return rows.get(cell(branch, COUNT));
    }

    /// The event that a branch hangs from, as the first node of its member.
    int addHead(int member, int branch, int place, int next) {
        int node = addNode(member, branch, 1, 0);
        nodes.set(nodeCell(node, NEXT), next);
        nodes.set(nodeCell(node, PLACE), place);
        return node;
    }

    /// A node further down, as the first of its member.
    int addBelow(int member, int branch, int depth, int created, int next) {
        int node = addNode(member, branch, depth, created);
        nodes.set(nodeCell(node, NEXT), next);
        nodes.set(nodeCell(node, SIBLING), rows.get(cell(branch, FIRST)));
        rows.set(cell(branch, FIRST), node);
        rows.set(cell(branch, COUNT), size(branch) + 1);
        int last = rows.get(cell(branch, LAST));
        if (last != NONE && compare(node, last) > 0) {
            rows.set(cell(branch, LAST), node);
        }
        return node;
    }

    private int addNode(int member, int branch, int depth, int created) {
        int node = free == NONE ? nodeCount++ : free;
        if (node == free) {
            free = nodes.get(nodeCell(node, NEXT));
        }
        nodes.set(nodeCell(node, MEMBER), depth << MEMBER_BITS | member);
        nodes.set(nodeCell(node, BRANCH), branch);
        nodes.set(nodeCell(node, SIBLING), NONE);
        nodes.set(nodeCell(node, PLACE), NONE);
        nodes.set(nodeCell(node, CREATED), created);
        return node;
    }

    /// Takes a node out of its branch; its member has let go of it already.
    void remove(int node) {
        int branch = branch(node);
        int before = NONE;
        int at = rows.get(cell(branch, FIRST));
        while (at != node) {
            before = at;
            at = sibling(at);
        }
        if (before == NONE) {
            rows.set(cell(branch, FIRST), sibling(node));
        } else {
            nodes.set(nodeCell(before, SIBLING), sibling(node));
        }
        rows.set(cell(branch, COUNT), size(branch) - 1);
        rows.set(cell(branch, LAST), NONE);
        nodes.set(nodeCell(node, NEXT), free);
        free = node;
    }

    /// The last of a branch by (depth, created_at, id); there must be one.
    int last(int branch) {
        int last = rows.get(cell(branch, LAST));
        if (last == NONE) {
            last = rows.get(cell(branch, FIRST));
            for (int node = sibling(last); node != NONE; node = sibling(node)) {
                last = compare(node, last) > 0 ? node : last;
            }
            rows.set(cell(branch, LAST), last);
        }
        return last;
    }

    private int compare(int left, int right) {
        int order = Integer.compare(depth(left), depth(right));
        if (order == 0) {
            order = Integer.compareUnsigned(created(left), created(right));
        }
        return order != 0 ? order : members.compare(member(left), member(right));
    }

    int member(int node) {
        return nodes.get(nodeCell(node, MEMBER)) & MEMBER_MASK;
    }

    int branch(int node) {
        return nodes.get(nodeCell(node, BRANCH));
    }

    int rootOf(int node) {
        return root(branch(node));
    }

    int depth(int node) {
        return nodes.get(nodeCell(node, MEMBER)) >>> MEMBER_BITS;
    }

    /// Seconds, unsigned.
    int created(int node) {
        return nodes.get(nodeCell(node, CREATED));
    }

    /// A shorter way to it was found.
    void lift(int node, int depth) {
        nodes.set(nodeCell(node, MEMBER), depth << MEMBER_BITS | member(node));
        rows.set(cell(branch(node), LAST), NONE);
    }

    /// The next node of the same member.
    int next(int node) {
        return nodes.get(nodeCell(node, NEXT));
    }

    void setNext(int node, int next) {
        nodes.set(nodeCell(node, NEXT), next);
    }

    /// The next node of the same branch.
    private int sibling(int node) {
        return nodes.get(nodeCell(node, SIBLING));
    }

    /// Where its member stands in the list of the root; -1 if that is not known.
    int place(int node) {
        return nodes.get(nodeCell(node, PLACE));
    }

    void setPlace(int node, int place) {
        nodes.set(nodeCell(node, PLACE), place);
    }

    private static long cell(int branch, int column) {
        return (long) branch * WIDTH + column;
    }

    private static long nodeCell(int node, int column) {
        return (long) node * NODE_WIDTH + column;
    }

    void keep(Kept kept) {
        kept.table(rows);
        kept.table(nodes);
        count = kept.number(count);
        nodeCount = kept.number(nodeCount);
        free = kept.number(free);
    }

    long bytes() {
        return rows.bytes() + nodes.bytes();
    }
}
