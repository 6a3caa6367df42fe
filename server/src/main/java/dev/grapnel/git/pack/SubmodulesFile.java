package dev.grapnel.git.pack;

import org.jspecify.annotations.Nullable;

/// What is wrong with the content of a `.gitmodules` file. Clients act on it when they clone.
final class SubmodulesFile {
    /// Far more than any in the world.
    static final int BYTES_MAX = 4 << 20;

    private SubmodulesFile() {}

    /// The first flaw. A file that cannot be read to its end is judged as far as it can be: git does not
    /// use it at all.
    static @Nullable String findFlaw(byte[] content, int length) {
        var entries = new ConfigEntries(content, length);
        while (entries.next()) {
            var name = entries.subsection();
            if (entries.section().equals("submodule") && name != null) {
                var flaw = findFlaw(name, entries.variable(), entries.value());
                if (flaw != null) {
                    return flaw;
                }
            }
        }
        return null;
    }

    private static @Nullable String findFlaw(String name, String variable, @Nullable String value) {
        if (!isName(name)) {
            return ".gitmodules has a bad submodule name";
        }
        if (value == null) {
            return null;
        }
        return switch (variable) {
            case "url" -> SubmoduleUrl.isSafe(value) ? null : ".gitmodules has a bad submodule url";
            case "path" -> value.startsWith("-") ? ".gitmodules has a bad submodule path" : null;
            case "update" -> value.startsWith("!") ? ".gitmodules has a command to update a submodule" : null;
            default -> null;
        };
    }

    /// A submodule's repository lies in a directory of its name.
    private static boolean isName(String name) {
        if (name.isEmpty()) {
            return false;
        }
        for (var part : name.replace('\\', '/').split("/", -1)) {
            if (part.equals("..")) {
                return false;
            }
        }
        return true;
    }

    /// The variables of a file in git's configuration format, one after the other.
    private static final class ConfigEntries {
        private final byte[] content;
        private final int length;
        private int at;
        private String section = "";
        private @Nullable String subsection;
        private String variable = "";
        private @Nullable String value;

        ConfigEntries(byte[] content, int length) {
            this.content = content;
            this.length = length;
            if (length >= 3 && content[0] == (byte) 0xef && content[1] == (byte) 0xbb && content[2] == (byte) 0xbf) {
                at = 3;
            }
        }

        String section() {
            return section;
        }

        @Nullable
        String subsection() {
            return subsection;
        }

        String variable() {
            return variable;
        }

        /// Nothing when there is no equals sign.
        @Nullable
        String value() {
            return value;
        }

        /// Goes to the next variable; false at the end, and where the file is broken.
        boolean next() {
            while (at < length) {
                int character = take();
                if (character == '#' || character == ';') {
                    skipLine();
                } else if (character == '[') {
                    if (!readSection()) {
                        return false;
                    }
                } else if (isLetter(character)) {
                    return readVariable(character);
                } else if (!isSpace(character)) {
                    return false;
                }
            }
            return false;
        }

        private boolean readSection() {
            var name = new StringBuilder();
            subsection = null;
            while (true) {
                int character = take();
                if (character == ']') {
                    section = name.toString();
                    splitOldForm();
                    return true;
                }
                if (isSpace(character)) {
                    section = name.toString();
                    return readSubsection(character);
                }
                if (!isLetter(character) && !isDigit(character) && character != '-' && character != '.') {
                    return false;
                }
                name.append((char) lower(character));
            }
        }

        /// `[submodule.name]` means the same, in lower case.
        private void splitOldForm() {
            int dot = section.indexOf('.');
            if (dot >= 0) {
                subsection = section.substring(dot + 1);
                section = section.substring(0, dot);
            }
        }

        private boolean readSubsection(int first) {
            int character = first;
            while (isSpace(character)) {
                if (character == '\n') {
                    return false;
                }
                character = take();
            }
            if (character != '"') {
                return false;
            }
            var name = new StringBuilder();
            while ((character = take()) != '"') {
                if (character == '\\') {
                    character = take();
                }
                if (character < 0 || character == '\n') {
                    return false;
                }
                name.append((char) character);
            }
            subsection = name.toString();
            return take() == ']';
        }

        private boolean readVariable(int first) {
            var name = new StringBuilder();
            int character = first;
            while (isLetter(character) || isDigit(character) || character == '-') {
                name.append((char) lower(character));
                character = take();
            }
            variable = name.toString();
            value = null;
            while (character == ' ' || character == '\t') {
                character = take();
            }
            if (character == '=') {
                return readValue();
            }
            return character == '\n' || character < 0;
        }

        private boolean readValue() {
            var text = new StringBuilder();
            boolean isQuoted = false;
            boolean isComment = false;
            int kept = 0;
            while (true) {
                int character = take();
                if (character < 0 || character == '\n') {
                    text.setLength(kept);
                    value = text.toString();
                    return !isQuoted;
                }
                if (isComment) {
                    continue;
                }
                if (isSpace(character) && !isQuoted) {
                    if (!text.isEmpty()) {
                        text.append((char) character);
                    }
                    continue;
                }
                if (!isQuoted && (character == ';' || character == '#')) {
                    isComment = true;
                    continue;
                }
                if (character == '"') {
                    isQuoted = !isQuoted;
                } else if (character == '\\') {
                    int escaped = escaped(take());
                    if (escaped < 0) {
                        return false;
                    }
                    if (escaped > 0) {
                        text.append((char) escaped);
                    }
                } else {
                    text.append((char) character);
                }
                kept = text.length();
            }
        }

        /// What a backslash and this stand for; 0 for nothing: the line goes on.
        private static int escaped(int character) {
            return switch (character) {
                case '\n' -> 0;
                case 't' -> '\t';
                case 'b' -> '\b';
                case 'n' -> '\n';
                case '\\', '"' -> character;
                default -> -1;
            };
        }

        private void skipLine() {
            int character = take();
            while (character >= 0 && character != '\n') {
                character = take();
            }
        }

        /// The next character, with one newline for both kinds of line end; -1 at the end.
        private int take() {
            if (at >= length) {
                at = length + 1;
                return -1;
            }
            int character = content[at++] & 0xff;
            if (character == '\r' && at < length && content[at] == '\n') {
                at++;
                return '\n';
            }
            return character;
        }

        private static boolean isSpace(int character) {
            return character == ' ' || character == '\t' || character == '\n' || character == '\r';
        }

        private static boolean isLetter(int character) {
            return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z');
        }

        private static boolean isDigit(int character) {
            return character >= '0' && character <= '9';
        }

        private static int lower(int character) {
            return character >= 'A' && character <= 'Z' ? character + ('a' - 'A') : character;
        }
    }
}
