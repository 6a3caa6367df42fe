package dev.grapnel.git.pack;

import org.jspecify.annotations.Nullable;

/// Names in trees: which of them some file system takes for `.git`, `.gitmodules` or `.gitattributes`.
///
/// NTFS folds case, drops dots and blanks at the end, takes what follows a colon for a stream, knows every
/// name by a short one too, and takes a backslash for a slash. HFS+ folds case and drops some characters
/// that show nothing.
final class EntryName {
    private static final String GIT = ".git";
    private static final String MODULES = ".gitmodules";
    private static final String ATTRIBUTES = ".gitattributes";

    /// How the short names begin that NTFS makes when the obvious ones are taken; the rest is a hash.
    private static final String MODULES_SHORT = "gi7eba";
    private static final String ATTRIBUTES_SHORT = "gi7d29";

    private static final int SHORT_STEM = 6;
    private static final int SHORT_LENGTH = 8;

    private EntryName() {}

    /// What is wrong with a name wherever it stands, if anything.
    static @Nullable String findFlaw(byte[] name, int from, int to) {
        int length = to - from;
        if (length == 0) {
            return "a tree entry has no name";
        }
        if (name[from] == '.' && (length == 1 || (length == 2 && name[from + 1] == '.'))) {
            return length == 1 ? "a tree entry is named ." : "a tree entry is named ..";
        }
        for (int i = from; i < to; i++) {
            if (name[i] == '/') {
                return "a tree entry has a name with a slash";
            }
            if (name[i] == '\\' && isGitOnNtfs(name, i + 1, to)) {
                return "a tree entry is named like .git";
            }
        }
        return mayBeSpecial(name, from, to) && (isGitOnNtfs(name, from, to) || isOnHfs(name, from, to, GIT))
                ? "a tree entry is named like .git"
                : null;
    }

    /// A quick look: all names known here begin with a dot, a G, a tilde or something invisible, or have a
    /// backslash.
    static boolean mayBeSpecial(byte[] name, int from, int to) {
        if (from == to) {
            return false;
        }
        byte first = name[from];
        if (first == '.' || first == 'g' || first == 'G' || first == '~' || first < 0) {
            return true;
        }
        for (int i = from; i < to; i++) {
            if (name[i] == '\\') {
                return true;
            }
        }
        return false;
    }

    static boolean isModules(byte[] name, int from, int to) {
        return isOnHfs(name, from, to, MODULES) || isOnNtfsAnywhere(name, from, to, MODULES, MODULES_SHORT);
    }

    static boolean isAttributes(byte[] name, int from, int to) {
        return isOnHfs(name, from, to, ATTRIBUTES) || isOnNtfsAnywhere(name, from, to, ATTRIBUTES, ATTRIBUTES_SHORT);
    }

    private static boolean isGitOnNtfs(byte[] name, int from, int to) {
        int at = after(name, from, to, GIT);
        if (at < 0) {
            at = after(name, from, to, "git~1");
        }
        if (at < 0) {
            return false;
        }
        for (; at < to; at++) {
            if (name[at] == ':' || name[at] == '\\') {
                return true;
            }
            if (name[at] != '.' && name[at] != ' ') {
                return false;
            }
        }
        return true;
    }

    private static boolean isOnNtfsAnywhere(byte[] name, int from, int to, String wanted, String shortStem) {
        if (isOnNtfs(name, from, to, wanted, shortStem)) {
            return true;
        }
        for (int i = from; i < to; i++) {
            if (name[i] == '\\' && isOnNtfs(name, i + 1, to, wanted, shortStem)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isOnNtfs(byte[] name, int from, int to, String wanted, String shortStem) {
        int at = after(name, from, to, wanted);
        if (at < 0) {
            at = afterShort(name, from, to, wanted.substring(1, 1 + SHORT_STEM), shortStem);
        }
        if (at < 0) {
            return false;
        }
        for (; at < to && name[at] != ':'; at++) {
            if (name[at] != ' ' && name[at] != '.') {
                return false;
            }
        }
        return true;
    }

    /// Where a short name ends: six letters, a tilde and a small number; or some of the letters of the hashed
    /// one, and a number that fills the rest of eight places.
    private static int afterShort(byte[] name, int from, int to, String stem, String hashed) {
        if (to - from < SHORT_LENGTH) {
            return -1;
        }
        int tilde = from + SHORT_STEM;
        if (after(name, from, to, stem) == tilde && name[tilde] == '~' && isDigit(name[tilde + 1], '1', '4')) {
            return from + SHORT_LENGTH;
        }
        int at = from;
        while (at < tilde && lower(name[at]) == hashed.charAt(at - from)) {
            at++;
        }
        if (name[at] != '~' || !isDigit(name[++at], '1', '9')) {
            return -1;
        }
        while (++at < from + SHORT_LENGTH) {
            if (!isDigit(name[at], '0', '9')) {
                return -1;
            }
        }
        return from + SHORT_LENGTH;
    }

    private static boolean isOnHfs(byte[] name, int from, int to, String wanted) {
        int matched = 0;
        for (int at = from; at < to; ) {
            if (isIgnoredOnHfs(name, at, to)) {
                at += 3;
            } else if (matched < wanted.length() && lower(name[at]) == wanted.charAt(matched)) {
                matched++;
                at++;
            } else {
                return false;
            }
        }
        return matched == wanted.length();
    }

    /// U+200C to U+200F, U+202A to U+202E, U+206A to U+206F and U+FEFF, three bytes each.
    private static boolean isIgnoredOnHfs(byte[] name, int at, int to) {
        if (to - at < 3 || name[at] >= 0) {
            return false;
        }
        int third = name[at + 2] & 0xff;
        return switch ((name[at] & 0xff) << 8 | (name[at + 1] & 0xff)) {
            case 0xe280 -> (third >= 0x8c && third <= 0x8f) || (third >= 0xaa && third <= 0xae);
            case 0xe281 -> third >= 0xaa && third <= 0xaf;
            case 0xefbb -> third == 0xbf;
            default -> false;
        };
    }

    /// Where a name goes on after these characters in any case, or -1 if it begins otherwise.
    private static int after(byte[] name, int from, int to, String wanted) {
        if (to - from < wanted.length()) {
            return -1;
        }
        for (int i = 0; i < wanted.length(); i++) {
            if (lower(name[from + i]) != wanted.charAt(i)) {
                return -1;
            }
        }
        return from + wanted.length();
    }

    private static boolean isDigit(byte character, char least, char greatest) {
        return character >= least && character <= greatest;
    }

    private static char lower(byte character) {
        return (char) (character >= 'A' && character <= 'Z' ? character + ('a' - 'A') : character & 0xff);
    }
}
