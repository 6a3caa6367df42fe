package dev.grapnel.git.pack;

import dev.grapnel.git.ObjectType;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Commits and tags: the lines at their head, in their order.
///
/// Names, e-mail addresses, dates and time zones are taken as they are: old histories have every flaw in
/// them, and nobody is harmed. Only dates that no number holds are refused, because git itself does.
final class HeaderCheck extends ContentCheck {
    private enum Expected {
        TREE("tree "),
        PARENT_OR_AUTHOR("author "),
        COMMITTER("committer "),
        OBJECT("object "),
        TYPE("type "),
        TAG("tag "),
        TAGGER(HeaderCheck.TAGGER),
        REST("");

        private final String word;

        Expected(String word) {
            this.word = word;
        }
    }

    private static final String PARENT = "parent ";
    private static final String TAGGER = "tagger ";
    private static final int HEX = 40;
    private static final int TYPE_MAX = 6;

    private final Needs needs;
    private ObjectType type = ObjectType.COMMIT;
    private int object;
    private Expected expected = Expected.TREE;
    private boolean isWithinLine;
    private boolean isPerson;
    private boolean isBody;

    /// What has been read of the seconds that follow the address; -1 outside of them.
    private long seconds;

    private long a;
    private long b;
    private int c;

    HeaderCheck(Needs needs) {
        this.needs = needs;
    }

    @Override
    void start(ObjectType begun, int ordinal) {
        type = begun;
        object = ordinal;
        expected = begun == ObjectType.TAG ? Expected.OBJECT : Expected.TREE;
        isWithinLine = false;
        isPerson = false;
        isBody = false;
    }

    @Override
    int consume(byte[] bytes, int from, int to) throws IOException, PackRefused {
        int at = from;
        while (at < to && !isBody && flaw() == null) {
            int next = isWithinLine ? rest(bytes, at, to) : line(bytes, at, to);
            if (next < 0) {
                return at;
            }
            at = next;
        }
        return to;
    }

    /// The remainder of a line of which only the beginning matters.
    private int rest(byte[] bytes, int from, int to) {
        for (int i = from; i < to; i++) {
            if (bytes[i] == '\n') {
                isWithinLine = false;
                isPerson = false;
                return i + 1;
            }
            if (isPerson && !date(bytes[i])) {
                flaw("a " + type.word() + " has a date that is too large for a number");
                return to;
            }
            if (bytes[i] == 0) {
                flaw("a " + type.word() + " has a NUL in its head");
                return to;
            }
        }
        return to;
    }

    /// One more letter of a line that ends with an address, seconds and a time zone; false if the seconds
    /// are too many.
    private boolean date(byte letter) {
        if (letter == '>') {
            seconds = 0;
        } else if (letter >= '0' && letter <= '9' && seconds >= 0) {
            int digit = letter - '0';
            if (seconds > (Long.MAX_VALUE - digit) / 10) {
                return false;
            }
            seconds = seconds * 10 + digit;
        } else if (letter != ' ' || seconds > 0) {
            seconds = -1;
        }
        return true;
    }

    /// The beginning of a line: where it goes on, or -1 if more is needed.
    private int line(byte[] bytes, int at, int to) throws IOException, PackRefused {
        if (expected == Expected.REST) {
            if (bytes[at] == '\n') {
                isBody = true;
                return at + 1;
            }
            isWithinLine = true;
            return at;
        }
        if (expected == Expected.TAGGER && !begins(bytes, at, Math.min(to, at + TAGGER.length()), TAGGER)) {
            expected = Expected.REST; // old tags have none
            return at;
        }
        if (expected == Expected.PARENT_OR_AUTHOR && bytes[at] == 'p') {
            return parent(bytes, at, to);
        }
        int end = at + expected.word.length();
        if (!begins(bytes, at, Math.min(to, end), expected.word)) {
            flaw("a " + type.word() + " has no " + word() + " where it should be");
            return to;
        }
        return end > to ? -1 : content(bytes, end, to);
    }

    private int parent(byte[] bytes, int at, int to) throws IOException, PackRefused {
        int end = at + PARENT.length();
        if (!begins(bytes, at, Math.min(to, end), PARENT)) {
            flaw("a commit has no author where it should be");
            return to;
        }
        return end > to ? -1 : link(bytes, end, to, ObjectType.COMMIT, Expected.PARENT_OR_AUTHOR);
    }

    private int content(byte[] bytes, int at, int to) throws IOException, PackRefused {
        return switch (expected) {
            case TREE -> link(bytes, at, to, ObjectType.TREE, Expected.PARENT_OR_AUTHOR);
            case OBJECT -> {
                int next = readId(bytes, at, to);
                expected = next < 0 ? expected : Expected.TYPE;
                yield next;
            }
            case TYPE -> type(bytes, at, to);
            case PARENT_OR_AUTHOR -> person(at, Expected.COMMITTER);
            case COMMITTER, TAGGER -> person(at, Expected.REST);
            case TAG -> skip(at, Expected.TAGGER);
            case REST -> at;
        };
    }

    private int person(int at, Expected next) {
        isPerson = true;
        seconds = -1;
        return skip(at, next);
    }

    private int skip(int at, Expected next) {
        expected = next;
        isWithinLine = true;
        return at;
    }

    private int link(byte[] bytes, int at, int to, ObjectType target, Expected next) throws IOException, PackRefused {
        int end = readId(bytes, at, to);
        if (end >= 0 && flaw() == null) {
            needs.need(a, b, c, target, object, 0);
            expected = next;
        }
        return end;
    }

    /// The target's type; only with it the link is whole.
    private int type(byte[] bytes, int at, int to) throws IOException, PackRefused {
        int end = at;
        while (end < to && bytes[end] != '\n' && end - at <= TYPE_MAX) {
            end++;
        }
        if (end == to && end - at <= TYPE_MAX) {
            return -1;
        }
        var word = new String(bytes, at, end - at, StandardCharsets.ISO_8859_1);
        for (var candidate : ObjectType.values()) {
            if (candidate.word().equals(word)) {
                needs.need(a, b, c, candidate, object, 0);
                expected = Expected.TAG;
                return end + 1;
            }
        }
        flaw("a tag is of something that is no type of object");
        return to;
    }

    /// Reads forty digits and the end of the line.
    private int readId(byte[] bytes, int at, int to) {
        if (to - at < HEX + 1) {
            return -1;
        }
        a = hex(bytes, at, 16);
        b = hex(bytes, at + 16, 16);
        c = (int) hex(bytes, at + 32, 8);
        if (bytes[at + HEX] != '\n') {
            flaw("a " + type.word() + " has an id that is not one");
        } else if (a == 0 && b == 0 && c == 0) {
            flaw("a " + type.word() + " has the null id");
        }
        return at + HEX + 1;
    }

    private long hex(byte[] bytes, int at, int digits) {
        long value = 0;
        for (int i = at; i < at + digits; i++) {
            int digit = bytes[i] < 0 ? -1 : Character.digit(bytes[i], 16);
            if (digit < 0) {
                flaw("a " + type.word() + " has an id that is not one");
                return 0;
            }
            value = value << 4 | digit;
        }
        return value;
    }

    private static boolean begins(byte[] bytes, int at, int to, String word) {
        for (int i = at; i < to; i++) {
            if (bytes[i] != word.charAt(i - at)) {
                return false;
            }
        }
        return true;
    }

    private String word() {
        return expected.word.strip();
    }

    @Override
    @Nullable
    String findLastFlaw(int unread) {
        if (expected != Expected.REST && expected != Expected.TAGGER) {
            return "a " + type.word() + " has no " + word() + " where it should be";
        }
        return isWithinLine || unread > 0 ? "the head of a " + type.word() + " does not end" : null;
    }
}
