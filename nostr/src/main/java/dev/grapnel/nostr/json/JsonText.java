package dev.grapnel.nostr.json;

import java.nio.charset.StandardCharsets;

/// The canonical escaping of relay 1.3 and its meaning. One rule for ids, storage and delivery, so that an
/// event's tags and content are the same bytes in all three.
public final class JsonText {
    private static final byte[] LOWER = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    private JsonText() {}

    /// Whether a text is written as it is: ASCII, and nothing in it needs an escape.
    public static boolean isPlain(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (!isPlain(text.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    static boolean isPlain(char c) {
        return c >= 0x20 && c < 0x80 && c != '"' && c != '\\';
    }

    /// Decodes a string the scanner has accepted, without its quotes and without lone surrogates.
    public static String decode(byte[] in, int from, int to, boolean escaped) {
        if (!escaped) {
            return new String(in, from, to - from, StandardCharsets.UTF_8);
        }
        var plain = new byte[to - from];
        int length = decode(in, from, to, plain);
        return new String(plain, 0, length, StandardCharsets.UTF_8);
    }

    /// Decodes into UTF-8, which is never longer than the escaped text. Answers the length.
    private static int decode(byte[] in, int from, int to, byte[] out) {
        int next = 0;
        int i = from;
        while (i < to) {
            if (in[i] != '\\') {
                out[next++] = in[i++];
                continue;
            }
            int codePoint = escapedCodePoint(in, i);
            i += escapeLength(in, i, codePoint);
            next = writeUtf8(codePoint, out, next);
        }
        return next;
    }

    /// Writes a piece of scanned JSON in canonical form: no white space between tokens, strings escaped by
    /// the one rule. The result is never longer than the piece. Answers the index behind the last byte
    /// written.
    public static int canonicalise(byte[] in, int from, int to, byte[] out, int at) {
        int next = at;
        boolean inString = false;
        int i = from;
        while (i < to) {
            int c = in[i];
            if (inString && c == '\\') {
                int codePoint = escapedCodePoint(in, i);
                i += escapeLength(in, i, codePoint);
                next = writeEscaped(codePoint, out, next);
                continue;
            }
            if (c == '"') {
                inString = !inString;
            }
            if (inString || c > ' ' || c < 0) {
                out[next++] = (byte) c;
            }
            i++;
        }
        return next;
    }

    /// Unicode characters in a canonical string, which is what `max_content_length` counts.
    public static int codePoints(byte[] in, int from, int to) {
        int count = 0;
        int i = from;
        while (i < to) {
            if (in[i] == '\\') {
                i += in[i + 1] == 'u' ? 6 : 2;
                count++;
            } else {
                count += (in[i] & 0xc0) == 0x80 ? 0 : 1;
                i++;
            }
        }
        return count;
    }

    /// Bytes of a character in canonical form: 1 to 4 raw, 2 or 6 escaped.
    static int escapedLength(int codePoint) {
        if (codePoint == '"' || codePoint == '\\') {
            return 2;
        }
        return codePoint >= 0x20 ? utf8Length(codePoint) : shortEscape(codePoint) != 0 ? 2 : 6;
    }

    /// Writes a character in canonical form; answers the index behind it.
    static int writeEscaped(int codePoint, byte[] out, int at) {
        if (codePoint >= 0x20 && codePoint != '"' && codePoint != '\\') {
            return writeUtf8(codePoint, out, at);
        }
        int letter = shortEscape(codePoint);
        out[at] = '\\';
        if (letter != 0) {
            out[at + 1] = (byte) letter;
            return at + 2;
        }
        out[at + 1] = 'u';
        out[at + 2] = '0';
        out[at + 3] = '0';
        out[at + 4] = LOWER[codePoint >> 4];
        out[at + 5] = LOWER[codePoint & 15];
        return at + 6;
    }

    private static int shortEscape(int codePoint) {
        return switch (codePoint) {
            case '\b' -> 'b';
            case '\t' -> 't';
            case '\n' -> 'n';
            case '\f' -> 'f';
            case '\r' -> 'r';
            case '"', '\\' -> codePoint;
            default -> 0;
        };
    }

    static int utf8Length(int codePoint) {
        if (codePoint < 0x80) {
            return 1;
        }
        return codePoint < 0x800 ? 2 : codePoint < 0x10000 ? 3 : 4;
    }

    static int writeUtf8(int codePoint, byte[] out, int at) {
        int length = utf8Length(codePoint);
        switch (length) {
            case 1 -> out[at] = (byte) codePoint;
            case 2 -> {
                out[at] = (byte) (0xc0 | codePoint >> 6);
                out[at + 1] = continuation(codePoint);
            }
            case 3 -> {
                out[at] = (byte) (0xe0 | codePoint >> 12);
                out[at + 1] = continuation(codePoint >> 6);
                out[at + 2] = continuation(codePoint);
            }
            default -> {
                out[at] = (byte) (0xf0 | codePoint >> 18);
                out[at + 1] = continuation(codePoint >> 12);
                out[at + 2] = continuation(codePoint >> 6);
                out[at + 3] = continuation(codePoint);
            }
        }
        return at + length;
    }

    private static byte continuation(int bits) {
        return (byte) (0x80 | (bits & 0x3f));
    }

    /// Length of the well-formed UTF-8 character of two to four bytes at `i`, or 0. Overlong forms,
    /// surrogates and anything above U+10FFFF are not well-formed.
    static int wideLength(byte[] in, int i, int end) {
        int first = in[i] & 0xff;
        int length = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
        if (length == 0 || i + length > end) {
            return 0;
        }
        for (int k = 1; k < length; k++) {
            if ((in[i + k] & 0xc0) != 0x80) {
                return 0;
            }
        }
        int second = in[i + 1] & 0xff;
        boolean outside = switch (first) {
            case 0xe0 -> second < 0xa0;
            case 0xed -> second > 0x9f;
            case 0xf0 -> second < 0x90;
            case 0xf4 -> second > 0x8f;
            default -> false;
        };
        return outside ? 0 : length;
    }

    /// The UTF-16 unit of four hex digits, or -1.
    static int unit(byte[] in, int at, int end) {
        if (at + 4 > end) {
            return -1;
        }
        int unit = 0;
        for (int i = at; i < at + 4; i++) {
            int digit = in[i] < 0 ? -1 : Character.digit(in[i], 16);
            if (digit < 0) {
                return -1;
            }
            unit = unit << 4 | digit;
        }
        return unit;
    }

    /// Whether none of four hex digits is a capital.
    static boolean isLowerCase(byte[] in, int at) {
        for (int i = at; i < at + 4; i++) {
            if (in[i] >= 'A' && in[i] <= 'F') {
                return false;
            }
        }
        return true;
    }

    private static int escapedCodePoint(byte[] in, int i) {
        return switch (in[i + 1]) {
            case 'b' -> '\b';
            case 't' -> '\t';
            case 'n' -> '\n';
            case 'f' -> '\f';
            case 'r' -> '\r';
            case 'u' -> unicodeCodePoint(in, i);
            default -> in[i + 1];
        };
    }

    private static int unicodeCodePoint(byte[] in, int i) {
        int unit = unit(in, i + 2, in.length);
        return Character.isHighSurrogate((char) unit)
                ? Character.toCodePoint((char) unit, (char) unit(in, i + 8, in.length))
                : unit;
    }

    private static int escapeLength(byte[] in, int i, int codePoint) {
        if (in[i + 1] != 'u') {
            return 2;
        }
        return codePoint > 0xffff ? 12 : 6;
    }
}
