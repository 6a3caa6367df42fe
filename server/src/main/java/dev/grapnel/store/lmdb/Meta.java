package dev.grapnel.store.lmdb;

import static dev.grapnel.store.lmdb.Raw.u16;
import static dev.grapnel.store.lmdb.Raw.u32;
import static dev.grapnel.store.lmdb.Raw.u64;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/// One of the two pages at the beginning of the file from which everything else is found. Transactions write
/// them in turn: those with even numbers the first, those with odd numbers the second.
record Meta(long transaction, long lastPage, int pageBytes, Tree free, Tree main) {
    static final long MAGIC = 0xBEEFC0DEL;

    /// Data version of LMDB 1.0.
    static final long VERSION = 3;

    /// Bytes of it, the page's header included.
    static final int BYTES = Pages.HEADER + 136;

    static final int PAGE_BYTES_MIN = 512;
    static final int PAGE_BYTES_MAX = 1 << 16;

    private static final int INTEGER_KEYS = 8;

    static Meta read(MemorySegment map, long page, int pageBytes) {
        long at = page * pageBytes + Pages.HEADER;
        return new Meta(
                u64(map, at + 128),
                u64(map, at + 120),
                (int) u32(map, at + 24),
                Tree.read("free list", map, at + 24),
                Tree.read("list of tables", map, at + 72));
    }

    /// Page size as the first meta page states it, or the usual one if it states nonsense.
    static int pageBytes(MemorySegment map) {
        long stated = u32(map, Pages.HEADER + 24);
        return isPageSize(stated) ? (int) stated : 4096;
    }

    private static boolean isPageSize(long bytes) {
        return bytes >= PAGE_BYTES_MIN && bytes <= PAGE_BYTES_MAX && Long.bitCount(bytes) == 1;
    }

    static long magic(MemorySegment map, long page, int pageBytes) {
        return u32(map, page * pageBytes + Pages.HEADER);
    }

    static long version(MemorySegment map, long page, int pageBytes) {
        return u32(map, page * pageBytes + Pages.HEADER + 4);
    }

    /// Whether the page it leads to was written by the same transaction. It must have been, as every
    /// transaction that changes something changes the list of tables, so this is a second witness of the
    /// number.
    boolean isConfirmed(MemorySegment map) {
        long at = main.root() * pageBytes;
        return main.isEmpty()
                || (main.root() >= 2 && at <= map.byteSize() - pageBytes && u64(map, at + 8) == transaction);
    }

    /// What is wrong with the meta page; nothing, if it can be trusted.
    static List<String> problems(MemorySegment map, long page, int pageBytes) {
        var found = new ArrayList<String>();
        var meta = read(map, page, pageBytes);
        long start = page * pageBytes;
        if (magic(map, page, pageBytes) != MAGIC) {
            found.add("it has no magic number");
        }
        if (version(map, page, pageBytes) != VERSION) {
            found.add("it has data version " + version(map, page, pageBytes));
        }
        if (u64(map, start) != page || u16(map, start + 18) != Pages.META) {
            found.add("its header is not that of a meta page");
        }
        if (meta.pageBytes != pageBytes || !isPageSize(meta.pageBytes)) {
            found.add("its page size is impossible");
        }
        if (meta.transaction < 0 || (meta.transaction != 0 && (meta.transaction & 1) != page)) {
            found.add("it is of a transaction that writes the other one");
        }
        if (meta.lastPage < 1 || meta.lastPage > Long.MAX_VALUE / pageBytes - 1) {
            found.add("its last page is impossible");
        }
        if (meta.free.flags() != INTEGER_KEYS || meta.main.flags() != 0 || meta.main.pad() != 0) {
            found.add("its flags are impossible");
        }
        return found;
    }
}
