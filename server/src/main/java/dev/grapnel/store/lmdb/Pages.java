package dev.grapnel.store.lmdb;

import static dev.grapnel.store.lmdb.Raw.big;
import static dev.grapnel.store.lmdb.Raw.u16;
import static dev.grapnel.store.lmdb.Raw.u64;

import dev.grapnel.store.table.SnapshotEnded;
import dev.grapnel.store.table.StoreDamage;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/// The pages of one commit, read with suspicion: every number found in the file is checked before it is
/// used.
///
/// A page (LMDB 1.0, data version 3) begins with 24 bytes: its number, the transaction that wrote it, the
/// size of packed values, flags, and the bounds `lower` and `upper` of its free middle, counted from the end
/// of these 24 bytes. On tree pages `lower / 2` pointers follow, two bytes each, to nodes at the far end,
/// ordered by key. A node is eight bytes, the key and the data. In branches the first six bytes name the
/// child, and the key of the first node means nothing. In leaves four bytes are the size of the data and two
/// are flags: the data may be elsewhere, on overflow pages, or be a posting list, which is one value of 16
/// bytes, or a small page within the page, or the root of a tree whose leaves have no pointers but packed
/// values.
///
/// Pages of a commit do not change while LMDB knows that it is read. When that ends, [#end] says so first;
/// then pages may be overwritten at any time. So whoever hands out bytes looks at [#requireLive] after it
/// has copied them, and whoever finds damage looks whether it is only the end.
final class Pages {
    static final int HEADER = 24;
    static final int NODE = 8;

    static final int BRANCH = 0x01;
    static final int LEAF = 0x02;
    static final int OVERFLOW = 0x04;
    static final int META = 0x08;
    static final int PACKED = 0x20;
    static final int SUB_PAGE = 0x40;

    static final int ON_OVERFLOW = 1;
    static final int IS_TREE = 2;
    static final int IS_LIST = 4;

    private static final long CHILD = 0xffff_ffff_ffffL;
    private static final int VALUE_BYTES_MAX = Integer.MAX_VALUE - 16;

    final MemorySegment map;
    final int shift;
    /// Bytes of a page after its header.
    final int space;
    /// The newest transaction whose pages may be met.
    final long transaction;
    /// Last page that may be met.
    final long pageMax;

    private volatile boolean ended;

    Pages(MemorySegment map, int pageBytes, long transaction, long lastPage) {
        this.map = map;
        this.shift = Integer.numberOfTrailingZeros(pageBytes);
        this.space = pageBytes - HEADER;
        this.transaction = transaction;
        this.pageMax = Math.min(lastPage, (map.byteSize() >>> shift) - 1);
    }

    /// Says that pages may be overwritten from now on.
    void end() {
        ended = true;
    }

    boolean isEnded() {
        VarHandle.loadLoadFence(); // what was read before must not be newer than the answer
        return ended;
    }

    /// What was read up to now is right.
    ///
    /// @throws SnapshotEnded if it may not be
    void requireLive() {
        if (isEnded()) {
            throw new SnapshotEnded();
        }
    }

    /// What to throw where something cannot be right.
    RuntimeException damage(String table, long page, String what) {
        return isEnded() ? new SnapshotEnded() : new StoreDamage("table " + table + ", page " + page + ": " + what);
    }

    /// What to throw when reading memory failed: a number that no check caught, or a page the device did not
    /// deliver.
    RuntimeException damage(String table, Throwable cause) {
        return isEnded() ? new SnapshotEnded() : new StoreDamage("table " + table + ": " + cause.getMessage(), cause);
    }

    /// Bytes 16 to 23 of a page's header, after everything in it was found plausible: see [#count] and
    /// [#upper].
    long head(Tree tree, long page, int kind) {
        if (page < 2 || page > pageMax) {
            throw damage(tree.name(), page, "lies outside of the file");
        }
        long at = page << shift;
        if (u64(map, at) != page) {
            throw damage(tree.name(), page, "bears another number");
        }
        if (Long.compareUnsigned(u64(map, at + 8), transaction) > 0) {
            throw damage(tree.name(), page, "was written by a later transaction");
        }
        long head = u64(map, at + 16);
        if (((head >>> 16) & 0xffff) != kind) {
            throw damage(tree.name(), page, "is of another kind than it should be");
        }
        if (kind != OVERFLOW) {
            requireBounds(tree, page, head, space);
            if ((kind & PACKED) != 0 && !isPackedWell(head, space)) {
                throw damage(tree.name(), page, "has no packed postings");
            }
        }
        return head;
    }

    private void requireBounds(Tree tree, long page, long head, int room) {
        int lower = (int) (head >>> 32) & 0xffff;
        if (lower < 2 || (lower & 1) != 0 || lower > upper(head) || upper(head) > room) {
            throw damage(tree.name(), page, "has impossible bounds");
        }
    }

    /// Whether packed values have the right size, and so many of them leave just as much room as the bounds
    /// say: LMDB believes the bounds.
    private static boolean isPackedWell(long head, int room) {
        return (head & 0xffff) == SnapshotPostings.BYTES
                && upper(head) - 2 * count(head) == room - count(head) * SnapshotPostings.BYTES;
    }

    /// Number of nodes or packed values.
    static int count(long head) {
        return (int) (head >>> 33) & 0x7fff;
    }

    static int upper(long head) {
        return (int) (head >>> 48);
    }

    /// Where a node is, with its key inside the page.
    long node(Tree tree, long page, long head, int index) {
        long at = page << shift;
        int pointer = u16(map, at + HEADER + 2L * index);
        if (pointer < upper(head) || pointer + NODE > space) {
            throw damage(tree.name(), page, "points outside of itself");
        }
        long node = at + HEADER + pointer;
        if (pointer + NODE + keyBytes(node) > space) {
            throw damage(tree.name(), page, "has a key that does not fit into it");
        }
        return node;
    }

    int keyBytes(long node) {
        return u16(map, node + 6);
    }

    byte[] key(long node) {
        return Raw.copy(map, node + NODE, keyBytes(node));
    }

    /// Where the data of a leaf node begins, which is at an even address; `word` is what the node begins
    /// with.
    static long data(long node, long word) {
        return node + NODE + (((word >>> 48) + 1) & ~1L);
    }

    /// Page a branch node points to.
    long child(long node) {
        return u64(map, node) & CHILD;
    }

    long pageOf(long address) {
        return address >>> shift;
    }

    private long endOfPage(long address) {
        return (pageOf(address) + 1) << shift;
    }

    /// Compares the key of a node with one whose first eight bytes are given, and as a whole if it is
    /// longer.
    int compare(long node, long prefix, byte @Nullable [] key, int length) {
        int bytes = keyBytes(node);
        long found = prefixOf(node, bytes);
        if (found != prefix) {
            return Long.compareUnsigned(found, prefix);
        }
        return key == null || bytes <= 8 || length <= 8
                ? Integer.compare(bytes, length)
                : compareRest(node, bytes, key);
    }

    private long prefixOf(long node, int bytes) {
        if (bytes >= 8) {
            return big(map, node + NODE);
        }
        return bytes == 0 ? 0 : word(node, 0, bytes);
    }

    private int compareRest(long node, int bytes, byte[] key) {
        long at = node + NODE;
        int common = Math.min(bytes, key.length);
        int i = 8;
        for (; i + 8 <= common; i += 8) {
            long mine = big(map, at + i);
            long other = big(key, i);
            if (mine != other) {
                return Long.compareUnsigned(mine, other);
            }
        }
        for (; i < common; i++) {
            int order = Byte.compareUnsigned(map.get(ValueLayout.JAVA_BYTE, at + i), key[i]);
            if (order != 0) {
                return order;
            }
        }
        return Integer.compare(bytes, key.length);
    }

    /// Compares the keys of two nodes.
    int compare(long node, long other) {
        int bytes = keyBytes(node);
        int otherBytes = keyBytes(other);
        long prefix = prefixOf(node, bytes);
        long otherPrefix = prefixOf(other, otherBytes);
        if (prefix != otherPrefix) {
            return Long.compareUnsigned(prefix, otherPrefix);
        }
        int common = Math.min(bytes, otherBytes);
        for (int i = 8; i < common; i += 8) {
            int shared = Math.min(8, common - i);
            long mine = word(node, i, shared);
            long theirs = word(other, i, shared);
            if (mine != theirs) {
                return Long.compareUnsigned(mine, theirs);
            }
        }
        return Integer.compare(bytes, otherBytes);
    }

    private long word(long node, int from, int bytes) {
        long at = node + NODE + from;
        if (bytes == 8 || at + 8 <= endOfPage(node)) {
            return big(map, at) & (-1L << (64 - 8 * bytes));
        }
        return Raw.prefix(Raw.copy(map, at, bytes));
    }

    /// Index of the child of a branch in which a key is, if it is anywhere.
    int childIndex(Tree tree, long page, long head, long prefix, byte @Nullable [] key, int length) {
        int low = 1;
        int high = count(head) - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            if (compare(node(tree, page, head, middle), prefix, key, length) <= 0) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return high;
    }

    /// Index of the first node of a leaf at or after a key.
    int leafIndex(Tree tree, long page, long head, long prefix, byte @Nullable [] key, int length) {
        int low = 0;
        int high = count(head) - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            if (compare(node(tree, page, head, middle), prefix, key, length) < 0) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }

    /// The leaf node with a key, or -1.
    long find(Tree tree, long prefix, byte @Nullable [] key, int length) {
        if (tree.isEmpty()) {
            return -1;
        }
        long page = tree.root();
        for (int level = requireDepth(tree); level > 1; level--) {
            long head = head(tree, page, BRANCH);
            page = child(node(tree, page, head, childIndex(tree, page, head, prefix, key, length)));
        }
        long head = head(tree, page, LEAF);
        int low = 0;
        int high = count(head) - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            long node = node(tree, page, head, middle);
            int order = compare(node, prefix, key, length);
            if (order == 0) {
                return node;
            } else if (order < 0) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return -1;
    }

    int requireDepth(Tree tree) {
        if (tree.depth() < 1 || tree.depth() > Tree.DEPTH_MAX) {
            throw damage(tree.name(), tree.root(), "is the root of a tree of impossible depth");
        }
        return tree.depth();
    }

    /// A copy of the value of a row.
    byte[] value(Tree tree, long node) {
        long word = u64(map, node);
        long bytes = word & 0xffff_ffffL;
        int flags = (int) (word >>> 32) & 0xffff;
        long at = data(node, word);
        if (flags == ON_OVERFLOW) {
            at = overflow(tree, node, at, bytes);
        } else if (flags != 0) {
            throw damage(tree.name(), pageOf(node), "has a node that is no row");
        } else if (at + bytes > endOfPage(node)) {
            throw damage(tree.name(), pageOf(node), "has a value that does not fit into it");
        }
        var value = Raw.copy(map, at, (int) bytes);
        requireLive();
        return value;
    }

    /// Where a value on overflow pages is, given its record at `at`.
    long overflow(Tree tree, long node, long at, long bytes) {
        if (at + 24 > endOfPage(node)) {
            throw damage(tree.name(), pageOf(node), "has a node that does not fit into it");
        }
        long page = u64(map, at);
        long pages = u64(map, at + 16);
        long head = head(tree, page, OVERFLOW);
        if (head >>> 32 != pages || pages < 1 || pages > pageMax - page + 1) {
            throw damage(tree.name(), page, "has an impossible number of overflow pages");
        }
        if (bytes > VALUE_BYTES_MAX || bytes > (pages << shift) - HEADER) {
            throw damage(tree.name(), page, "has a value that does not fit into it");
        }
        return (page << shift) + HEADER;
    }

    /// Where the data of a leaf node of a table of postings is, which has at least as many bytes as asked
    /// for.
    long listData(Tree tree, long node, long word, int bytesMin) {
        long at = data(node, word);
        long bytes = word & 0xffff_ffffL;
        if (bytes < bytesMin || at + bytes > endOfPage(node)) {
            throw damage(tree.name(), pageOf(node), "has a list that does not fit into it");
        }
        return at;
    }

    /// Header of a page within a page, as [#head] is.
    long subHead(Tree tree, long node, long at, long bytes) {
        long head = u64(map, at + 16);
        int room = (int) bytes - HEADER;
        if (((head >>> 16) & 0xffff) != (LEAF | PACKED | SUB_PAGE)) {
            throw damage(tree.name(), pageOf(node), "has a list of an unknown kind");
        }
        requireBounds(tree, pageOf(node), head, room);
        if (!isPackedWell(head, room)) {
            throw damage(tree.name(), pageOf(node), "has no packed postings");
        }
        return head;
    }
}
