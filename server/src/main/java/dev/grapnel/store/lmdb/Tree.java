package dev.grapnel.store.lmdb;

import static dev.grapnel.store.lmdb.Raw.u16;
import static dev.grapnel.store.lmdb.Raw.u32;
import static dev.grapnel.store.lmdb.Raw.u64;

import java.lang.foreign.MemorySegment;

/// Root of one B+ tree, as LMDB writes it (`MDB_db`): a table, the free list, the list of tables, or one
/// posting list.
///
/// @param name whose tree it is, for messages
/// @param pad size of the values of a posting list; of the free list, the page size
/// @param root page number, [#NO_PAGE] if the tree is empty
record Tree(
        String name,
        long pad,
        int flags,
        int depth,
        long branches,
        long leaves,
        long overflows,
        long entries,
        long root) {
    /// Bytes of its stored form.
    static final int BYTES = 48;

    static final long NO_PAGE = -1;

    /// Deeper trees are not believed: LMDB itself stops there.
    static final int DEPTH_MAX = 32;

    static Tree read(String name, MemorySegment map, long at) {
        return new Tree(
                name,
                u32(map, at),
                u16(map, at + 4),
                u16(map, at + 6),
                u64(map, at + 8),
                u64(map, at + 16),
                u64(map, at + 24),
                u64(map, at + 32),
                u64(map, at + 40));
    }

    static Tree empty(String name) {
        return new Tree(name, 0, 0, 0, 0, 0, 0, 0, NO_PAGE);
    }

    /// Stands for a table whose root could not be read: every look into it finds damage.
    static Tree unreadable(String name) {
        return new Tree(name, 0, 0, 0, 0, 0, 0, 0, 0);
    }

    boolean isEmpty() {
        return root == NO_PAGE;
    }

    long pages() {
        return branches + leaves + overflows;
    }
}
