package dev.grapnel.bench.load;

import dev.grapnel.nostr.Hex;
import dev.grapnel.nostr.Word256;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// Looks at the beginning of a relay's message: its type and the string behind it, wherever spaces stand. The
/// rest is looked at on request only. One object is used for all messages of a thread.
final class AnswerScan {
    private static final byte[] ID = "\"id\"".getBytes(StandardCharsets.US_ASCII);
    private static final int EXAMPLE_MAX = 200;

    private byte[] in = {};
    private int begin;
    private int end;
    private int textFrom;
    private int textTo;

    /// Looks at a message; what is said afterwards is about this one.
    AnswerType read(byte[] message, int from, int to) {
        in = message;
        begin = from;
        end = to;
        textFrom = to;
        textTo = to;
        int at = skipSpace(from);
        if (at == end || in[at] != '[') {
            return AnswerType.OTHER;
        }
        at = skipSpace(at + 1);
        if (at == end || in[at] != '"') {
            return AnswerType.OTHER;
        }
        int labelEnd = stringEnd(at + 1);
        var type = AnswerType.of(in, at + 1, labelEnd);
        nextString(labelEnd + 1);
        return type;
    }

    /// Goes on to the string behind the last one; false if something else is there.
    boolean next() {
        return nextString(textTo + 1);
    }

    /// The bytes of the string: a subscription id, an event id, a text.
    int textFrom() {
        return textFrom;
    }

    /// Where the string ends.
    int textTo() {
        return textTo;
    }

    /// The string, escapes and all.
    String text() {
        return new String(in, textFrom, textTo - textFrom, StandardCharsets.UTF_8);
    }

    /// Whether the string is this one.
    boolean isText(byte[] expected) {
        return Arrays.equals(expected, 0, expected.length, in, textFrom, textTo);
    }

    /// The first 64 bits of an id that is the string, or 0.
    long idWord() {
        return textTo - textFrom == Word256.DIGITS ? hexWord(textFrom) : 0;
    }

    /// A number of decimal digits in the string, from one of its characters on until something else comes.
    int number(int offset) {
        int value = 0;
        for (int at = textFrom + offset; at < textTo && in[at] >= '0' && in[at] <= '9'; at++) {
            value = 10 * value + in[at] - '0';
        }
        return value;
    }

    /// Whether `true` stands behind the string, as in an OK.
    boolean isAccepted() {
        int at = skipComma(textTo + 1);
        return at < end && in[at] == 't';
    }

    /// The text of an OK, or nothing.
    String reason() {
        int comma = skipComma(textTo + 1);
        while (comma < end && in[comma] != ',' && in[comma] != ']') {
            comma++;
        }
        return nextString(comma) ? text() : "";
    }

    /// The first 64 bits of the id of the event in the message, or 0.
    long eventIdWord() {
        for (int at = textTo; at <= end - ID.length; at++) {
            if (in[at] == '"' && in[at + 1] == 'i' && in[at + 2] == 'd' && in[at + 3] == '"') {
                int colon = skipSpace(at + ID.length);
                if (colon < end && in[colon] == ':') {
                    int quote = skipSpace(colon + 1);
                    return quote + Word256.DIGITS < end ? hexWord(quote + 1) : 0;
                }
            }
        }
        return 0;
    }

    /// The message, or its beginning, for people.
    String example() {
        int length = Math.min(EXAMPLE_MAX, end - begin);
        return new String(in, begin, length, StandardCharsets.UTF_8) + (length < end - begin ? "…" : "");
    }

    private long hexWord(int at) {
        return Hex.isHex(in, at, at + Long.BYTES * 2) ? Hex.word(in, at) : 0;
    }

    private boolean nextString(int from) {
        int at = skipComma(from);
        if (at >= end || in[at] != '"') {
            textFrom = Math.min(at, end);
            textTo = textFrom;
            return false;
        }
        textFrom = at + 1;
        textTo = stringEnd(textFrom);
        return true;
    }

    private int skipComma(int from) {
        int at = skipSpace(from);
        return at < end && in[at] == ',' ? skipSpace(at + 1) : at;
    }

    private int skipSpace(int from) {
        int at = from;
        while (at < end && in[at] <= ' ') {
            at++;
        }
        return at;
    }

    private int stringEnd(int from) {
        int at = from;
        while (at < end && in[at] != '"') {
            at += in[at] == '\\' ? 2 : 1;
        }
        return Math.min(at, end);
    }
}
