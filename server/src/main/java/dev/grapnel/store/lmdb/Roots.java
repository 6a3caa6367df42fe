package dev.grapnel.store.lmdb;

import static dev.grapnel.store.lmdb.Raw.u64;

import dev.grapnel.store.table.StoreDamage;
import dev.grapnel.store.table.Table;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// Finds the trees of all tables in the list of tables, which is a tree itself.
final class Roots {
    /// Flags of a table of postings: several values of one size for each key.
    static final int POSTINGS = 0x14;

    static final int ROWS = 0;

    /// LMDB stores a name with the zero byte that ends it in C.
    private static final char END = 0;

    private static final byte[][] NAMES = names();

    private Roots() {}

    private static byte[][] names() {
        var tables = Table.values();
        var names = new byte[tables.length][];
        for (int i = 0; i < tables.length; i++) {
            names[i] = (tables[i].storedName() + END).getBytes(StandardCharsets.US_ASCII);
        }
        return names;
    }

    /// Where a table stands in arrays that have something for each; they never leave the process.
    @SuppressWarnings("EnumOrdinal") // a map would cost more than the lookup it serves
    static int slot(Table table) {
        return table.ordinal();
    }

    static int flags(Table table) {
        return table.form() == Table.Form.POSTINGS ? POSTINGS : ROWS;
    }

    /// Name of a table, given its key in the list of tables.
    static String name(byte[] key) {
        int length = key.length > 0 && key[key.length - 1] == END ? key.length - 1 : key.length;
        return new String(key, 0, length, StandardCharsets.US_ASCII);
    }

    /// Whether a table of this name, if it is known, has such flags.
    static boolean isKindRight(String name, int flags) {
        return Arrays.stream(Table.values())
                .filter(table -> table.storedName().equals(name))
                .allMatch(table -> flags(table) == flags);
    }

    /// By [#slot]. What is missing is empty, what is damaged [Tree#unreadable].
    static Tree[] read(Pages pages, Tree main) {
        var tables = Table.values();
        var trees = new Tree[tables.length];
        for (var table : tables) {
            trees[slot(table)] = read(pages, main, table);
        }
        return trees;
    }

    private static Tree read(Pages pages, Tree main, Table table) {
        var name = table.storedName();
        var key = NAMES[slot(table)];
        try {
            long node = pages.find(main, Raw.prefix(key), key, key.length);
            if (node < 0) {
                return Tree.empty(name);
            }
            long word = u64(pages.map, node);
            if (((word >>> 32) & 0xffff) != Pages.IS_TREE) {
                return Tree.unreadable(name);
            }
            var tree = Tree.read(name, pages.map, pages.listData(main, node, word, Tree.BYTES));
            return tree.flags() == flags(table) ? tree : Tree.unreadable(name);
        } catch (StoreDamage | IndexOutOfBoundsException | InternalError _) {
            return Tree.unreadable(name);
        }
    }
}
