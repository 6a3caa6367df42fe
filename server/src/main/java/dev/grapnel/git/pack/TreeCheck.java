package dev.grapnel.git.pack;

import dev.grapnel.git.ObjectType;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// Trees: names that are safe everywhere, in order, each once, and modes that mean something.
final class TreeCheck extends ContentCheck {
    private static final int NAME_MAX = 4096;
    private static final int MODE_DIGITS_MAX = 12;
    private static final int MODE_MAX = 0177777;
    private static final int KIND_MASK = 0170000;
    private static final int DIRECTORY = 0040000;
    private static final int FILE = 0100000;
    private static final int SYMLINK = 0120000;
    private static final int GITLINK = 0160000;
    private static final int ID = 20;

    private final Needs needs;
    private final byte[] previous = new byte[NAME_MAX];
    private int previousLength;
    private boolean isPreviousDirectory;
    private boolean isFirst;
    private final FilesAbove files = new FilesAbove();
    private int tree;

    TreeCheck(Needs needs) {
        this.needs = needs;
    }

    @Override
    void start(ObjectType type, int object) {
        tree = object;
        isFirst = true;
        files.clear();
    }

    @Override
    int consume(byte[] bytes, int from, int to) throws IOException, PackRefused {
        int at = from;
        while (at < to) {
            int space = at;
            int mode = 0;
            for (; space < to && bytes[space] != ' '; space++) {
                int digit = bytes[space] - '0';
                mode = mode << 3 | digit;
                if (digit < 0 || digit > 7 || mode > MODE_MAX || space - at >= MODE_DIGITS_MAX) {
                    flaw("a tree entry has a mode that is not one");
                    return to;
                }
            }
            int end = space + 1;
            while (end < to && bytes[end] != 0) {
                end++;
            }
            if (end - space - 1 > NAME_MAX) {
                flaw("a tree entry has a name of more than " + NAME_MAX + " bytes");
                return to;
            }
            if (end + ID >= to) {
                return at;
            }
            entry(mode, bytes, space + 1, end);
            if (flaw() != null) {
                return to;
            }
            at = end + 1 + ID;
        }
        return at;
    }

    private void entry(int mode, byte[] bytes, int from, int to) throws IOException, PackRefused {
        int kind = mode & KIND_MASK;
        order(kind == DIRECTORY, bytes, from, to);
        var bad = EntryName.findFlaw(bytes, from, to);
        if (bad != null) {
            flaw(bad);
            return;
        }
        long a = Raw.number(bytes, to + 1);
        long b = Raw.number(bytes, to + 9);
        int c = Raw.integer(bytes, to + 17);
        if (a == 0 && b == 0 && c == 0) {
            flaw("a tree entry has the null id");
            return;
        }
        int name = specialName(kind, bytes, from, to);
        switch (kind) {
            case DIRECTORY -> needs.need(a, b, c, ObjectType.TREE, tree, 0);
            case FILE, SYMLINK -> needs.need(a, b, c, ObjectType.BLOB, tree, name);
            case GITLINK -> {
                // a commit of another repository
            }
            default -> flaw("a tree entry has a mode that is not one");
        }
    }

    /// Marks for files that git itself reads out of a work tree.
    private int specialName(int kind, byte[] bytes, int from, int to) {
        int name = 0;
        if (EntryName.mayBeSpecial(bytes, from, to)) {
            if (EntryName.isModules(bytes, from, to)) {
                name |= IdTable.MODULES;
                if (kind != FILE) {
                    flaw(kind == SYMLINK ? ".gitmodules is a symbolic link" : ".gitmodules is not a file");
                }
            }
            if (EntryName.isAttributes(bytes, from, to)) {
                if (kind == FILE) {
                    name |= IdTable.ATTRIBUTES;
                } else if (kind != SYMLINK) {
                    flaw(".gitattributes is not a file");
                }
            }
        }
        return name;
    }

    /// Compares with the entry before, as git sorts: a directory as if its name ended with a slash.
    private void order(boolean isDirectory, byte[] bytes, int from, int to) {
        int length = to - from;
        if (!isFirst) {
            int common = java.util.Arrays.mismatch(previous, 0, previousLength, bytes, from, to);
            common = common < 0 ? length : common;
            if (common == length && common == previousLength) {
                if (isPreviousDirectory || !isDirectory) {
                    flaw("a tree has two entries of one name");
                }
            } else if (sortKey(previous, 0, previousLength, isPreviousDirectory, common)
                    > sortKey(bytes, from, length, isDirectory, common)) {
                flaw("the entries of a tree are not in order");
            }
        }
        if (files.isAmong(bytes, from, to, isDirectory)) {
            flaw("a tree has two entries of one name");
        }
        isFirst = false;
        System.arraycopy(bytes, from, previous, 0, length);
        previousLength = length;
        isPreviousDirectory = isDirectory;
    }

    private static int sortKey(byte[] bytes, int from, int length, boolean isDirectory, int at) {
        return at < length ? bytes[from + at] & 0xff : isDirectory ? '/' : 0;
    }

    @Override
    @Nullable
    String findLastFlaw(int unread) {
        return unread > 0 ? "a tree ends within an entry" : null;
    }

    /// Names of files that may still come again as directories: with `a-` between them, `a` and `a/` are not
    /// neighbours. All of them begin the longest of them, so one array holds them.
    private static final class FilesAbove {
        private final byte[] longest = new byte[NAME_MAX];
        private final short[] lengths = new short[NAME_MAX + 1];
        private int count;

        void clear() {
            count = 0;
        }

        boolean isAmong(byte[] bytes, int from, int to, boolean isDirectory) {
            int length = to - from;
            if (count > 0) {
                int top = lengths[count - 1];
                int common = java.util.Arrays.mismatch(longest, 0, top, bytes, from, to);
                common = common < 0 ? length : common;
                while (count > 0 && lengths[count - 1] > common) {
                    count--;
                }
            }
            if (isDirectory) {
                return count > 0 && lengths[count - 1] == length;
            }
            if (count == 0 || lengths[count - 1] < length) {
                System.arraycopy(bytes, from, longest, 0, length);
                lengths[count++] = (short) length;
            }
            return false;
        }
    }
}
