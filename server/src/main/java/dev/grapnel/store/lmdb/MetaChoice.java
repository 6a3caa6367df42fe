package dev.grapnel.store.lmdb;

import dev.grapnel.store.table.StoreFailure;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Chooses the meta page to read from: the newer one, unless it is damaged.
final class MetaChoice {
    /// Pages at the end that were freed before they were written may be missing in the file.
    private static final long MISSING_PAGES_MAX = 1 << 18;

    private MetaChoice() {}

    /// @throws StoreFailure if the file is none of ours, or neither page can be used
    static Meta newest(Path directory, MemorySegment map) {
        if (map.byteSize() < Meta.BYTES || map.byteSize() < 2L * Meta.pageBytes(map)) {
            throw tooShort(directory, map);
        }
        int pageBytes = Meta.pageBytes(map);
        boolean isFirstGood = Meta.problems(map, 0, pageBytes).isEmpty();
        boolean isSecondGood = Meta.problems(map, 1, pageBytes).isEmpty();
        if (!isFirstGood && !isSecondGood) {
            throw unusable(directory, map, pageBytes);
        }
        var first = Meta.read(map, 0, pageBytes);
        var second = Meta.read(map, 1, pageBytes);
        if (isFirstGood && isSecondGood) {
            boolean isSecondNewer = first.transaction() < second.transaction();
            var newer = isSecondNewer ? second : first;
            var older = isSecondNewer ? first : second;
            return newer.isConfirmed(map) || !older.isConfirmed(map) ? newer : older;
        }
        return isFirstGood ? first : second;
    }

    /// Why LMDB must not be let at the file: it would look at both pages, with less care, and perhaps choose
    /// the other.
    static List<String> problems(MemorySegment map, Meta chosen) {
        var found = new ArrayList<String>();
        for (long page = 0; page < 2; page++) {
            for (var problem : Meta.problems(map, page, chosen.pageBytes())) {
                found.add("meta page " + page + ": " + problem);
            }
        }
        if (!chosen.isConfirmed(map) || isContested(map, chosen)) {
            found.add("the meta pages do not tell which was the last transaction");
        }
        if (chosen.lastPage() - map.byteSize() / chosen.pageBytes() > MISSING_PAGES_MAX) {
            found.add("the last page lies far beyond the end of the file");
        }
        return found;
    }

    /// Whether the other page claims to be newer, and is not simply that of a commit made meanwhile.
    private static boolean isContested(MemorySegment map, Meta chosen) {
        long page = (chosen.transaction() & 1) ^ 1;
        var other = Meta.read(map, page, chosen.pageBytes());
        return other.transaction() > chosen.transaction()
                && !other.isConfirmed(map)
                && other.equals(Meta.read(map, page, chosen.pageBytes()));
    }

    private static StoreFailure unusable(Path directory, MemorySegment map, int pageBytes) {
        if (Meta.magic(map, 0, pageBytes) != Meta.MAGIC && Meta.magic(map, 1, pageBytes) != Meta.MAGIC) {
            return notLmdb(directory);
        }
        long version = Meta.version(map, 0, pageBytes);
        if (version != Meta.VERSION && version == Meta.version(map, 1, pageBytes)) {
            return new StoreFailure("the LMDB file in " + directory + " has data version " + version
                    + ", and this version of Grapnel needs " + Meta.VERSION
                    + "; copy it with the tools of the LMDB that wrote it, or restore a backup");
        }
        return new StoreFailure("the store in " + directory + " is damaged at its very beginning; restore a backup");
    }

    private static StoreFailure tooShort(Path directory, MemorySegment map) {
        if (map.byteSize() < Meta.BYTES || Meta.magic(map, 0, Meta.PAGE_BYTES_MIN) != Meta.MAGIC) {
            return notLmdb(directory);
        }
        return new StoreFailure("the store's file " + directory.resolve(StoreFiles.DATA) + " was cut off: only "
                + map.byteSize() + " bytes are left of it; restore a backup");
    }

    private static StoreFailure notLmdb(Path directory) {
        return new StoreFailure("the file " + directory.resolve(StoreFiles.DATA)
                + " is not an LMDB file, or was cut off or overwritten; if it was a store, restore a backup, else move it"
                + " away or configure another directory");
    }
}
