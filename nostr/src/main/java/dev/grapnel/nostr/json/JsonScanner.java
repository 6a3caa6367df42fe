package dev.grapnel.nostr.json;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Reads one JSON value from bytes, token by token, checking grammar, UTF-8 and depth on the way.
///
/// The scanner is the whole grammar: it consumes commas and colons itself and remembers in one bit per level
/// whether it is inside an object or an array. So callers are plain loops, skipping a value costs no stack
/// however deep it is, and no caller can forget a check. Strings are not decoded: the scanner notes where a
/// string lies and whether its bytes already are the canonical form ([#isCanonical]), which they nearly
/// always are; then reading it is a copy.
///
/// A lone surrogate escape is not a failure here but a mark on the string ([#hasLoneSurrogate]): inside an
/// event it spoils the event, elsewhere the message, and only the caller knows where it is.
public final class JsonScanner {
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ONES = 0x0101010101010101L;
    private static final long HIGHS = 0x8080808080808080L;
    private static final int SAFE_DIGITS = 18;

    private enum Expect {
        VALUE,
        VALUE_OR_END,
        NAME,
        NAME_OR_END,
        COMMA_OR_END,
        NOTHING
    }

    private final byte[] in;
    private final int end;
    private final int depthMax;
    private long[] objects = new long[1];
    private int at;
    private int depth;
    private Expect expect = Expect.VALUE;
    private @Nullable String failure;

    private int textFrom;
    private int textTo;
    private int canonicalLength;
    private int decodedLength;
    private boolean escaped;
    private boolean canonical;
    private boolean loneSurrogate;
    private boolean loneSurrogateFound;

    /// A scanner of `in[from, to)` that refuses more than `depthMax` levels of brackets.
    public JsonScanner(byte[] in, int from, int to, int depthMax) {
        this.in = in;
        this.at = from;
        this.end = to;
        this.depthMax = depthMax;
    }

    /// Whether there is nothing but white space left.
    public boolean isBlank() {
        return skipSpace() < 0;
    }

    /// The next token.
    public JsonToken next() {
        if (failure != null) {
            return JsonToken.FAILURE;
        }
        int c = skipSpace();
        if (expect == Expect.COMMA_OR_END) {
            if (c != ',') {
                return close(c);
            }
            at++;
            c = skipSpace();
            expect = inObject() ? Expect.NAME : Expect.VALUE;
        }
        return switch (expect) {
            case VALUE -> value(c);
            case VALUE_OR_END -> c == ']' ? close(c) : value(c);
            case NAME -> name(c);
            case NAME_OR_END -> c == '}' ? close(c) : name(c);
            case NOTHING -> c < 0 ? JsonToken.END : fail("text follows the closing bracket");
            case COMMA_OR_END -> throw new IllegalStateException("a comma was consumed above");
        };
    }

    /// Passes over the rest of the value whose first token was `first`. False if it turned out not to be JSON.
    public boolean skip(JsonToken first) {
        if (first == JsonToken.BEGIN_OBJECT || first == JsonToken.BEGIN_ARRAY) {
            int outside = depth - 1;
            while (depth > outside) {
                if (next() == JsonToken.FAILURE) {
                    return false;
                }
            }
        }
        return failure == null;
    }

    /// Why [#next] answered FAILURE.
    public String failure() {
        return failure == null ? "" : failure;
    }

    /// Index of the next unread byte.
    public int position() {
        return at;
    }

    /// First byte of the current string (after its quote) or number.
    public int textFrom() {
        return textFrom;
    }

    /// Index behind the last byte of the current string (its closing quote) or number.
    public int textTo() {
        return textTo;
    }

    /// Bytes the current string has in canonical form, without quotes.
    public int canonicalLength() {
        return canonicalLength;
    }

    /// Bytes the current string has as plain UTF-8.
    public int decodedLength() {
        return decodedLength;
    }

    /// Whether the current string contains a backslash.
    public boolean isEscaped() {
        return escaped;
    }

    /// Whether the current string's bytes are exactly its canonical form.
    public boolean isCanonical() {
        return canonical;
    }

    /// Whether the current string contains half of a surrogate pair: it has no UTF-8 form and cannot be
    /// decoded.
    public boolean hasLoneSurrogate() {
        return loneSurrogate;
    }

    /// Whether any string since the last call, passed over or not, had half of a surrogate pair.
    public boolean takeLoneSurrogate() {
        boolean found = loneSurrogateFound;
        loneSurrogateFound = false;
        return found;
    }

    /// The current string, decoded.
    public String text() {
        return JsonText.decode(in, textFrom, textTo, escaped);
    }

    /// The current string's canonical bytes, without quotes.
    public byte[] canonicalText() {
        if (canonical) {
            return Arrays.copyOfRange(in, textFrom, textTo);
        }
        var quoted = new byte[textTo - textFrom + 2];
        int length = JsonText.canonicalise(in, textFrom - 1, textTo + 1, quoted, 0);
        return Arrays.copyOfRange(quoted, 1, length - 1);
    }

    /// Whether the current string, decoded, is this ASCII text.
    public boolean textIs(byte... ascii) {
        if (decodedLength != ascii.length || loneSurrogate) {
            return false;
        }
        return escaped
                ? text().equals(new String(ascii, StandardCharsets.US_ASCII))
                : Arrays.equals(in, textFrom, textTo, ascii, 0, ascii.length);
    }

    /// The current number as a plain run of digits: no sign, point or exponent (the grammar forbids leading
    /// zeros). Values that do not fit saturate at `Long.MAX_VALUE`; -1 means it is not plain.
    public long plainInteger() {
        long value = 0;
        for (int i = textFrom; i < textTo; i++) {
            int digit = in[i] - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            value = i - textFrom < SAFE_DIGITS ? value * 10 + digit : saturated(value, digit);
        }
        return value;
    }

    private static long saturated(long value, int digit) {
        return value > (Long.MAX_VALUE - digit) / 10 ? Long.MAX_VALUE : value * 10 + digit;
    }

    private JsonToken value(int c) {
        if (c == '"') {
            return string() ? ended(JsonToken.STRING) : JsonToken.FAILURE;
        }
        return switch (c) {
            case '[' -> open(false);
            case '{' -> open(true);
            case 't' -> literal("true", JsonToken.TRUE);
            case 'f' -> literal("false", JsonToken.FALSE);
            case 'n' -> literal("null", JsonToken.NULL);
            case -1 -> fail("the text ends too early");
            default -> c == '-' || isDigit(c) ? number() : fail("a value was expected");
        };
    }

    private JsonToken name(int c) {
        if (c != '"') {
            return fail(c < 0 ? "the text ends too early" : "a name in quotes was expected");
        }
        if (!string()) {
            return JsonToken.FAILURE;
        }
        if (skipSpace() != ':') {
            return fail("a colon was expected");
        }
        at++;
        expect = Expect.VALUE;
        return JsonToken.NAME;
    }

    private JsonToken open(boolean object) {
        if (depth == depthMax) {
            return fail("nested deeper than " + depthMax + " levels");
        }
        depth++;
        if (depth / Long.SIZE == objects.length) {
            objects = Arrays.copyOf(objects, objects.length * 2);
        }
        long bit = 1L << depth;
        objects[depth / Long.SIZE] = object ? objects[depth / Long.SIZE] | bit : objects[depth / Long.SIZE] & ~bit;
        at++;
        expect = object ? Expect.NAME_OR_END : Expect.VALUE_OR_END;
        return object ? JsonToken.BEGIN_OBJECT : JsonToken.BEGIN_ARRAY;
    }

    private JsonToken close(int c) {
        boolean object = inObject();
        if (c != (object ? '}' : ']')) {
            return fail(c < 0 ? "the text ends too early" : "a comma or closing bracket was expected");
        }
        at++;
        depth--;
        return ended(object ? JsonToken.END_OBJECT : JsonToken.END_ARRAY);
    }

    private boolean inObject() {
        return (objects[depth / Long.SIZE] & 1L << depth) != 0;
    }

    private JsonToken ended(JsonToken token) {
        expect = depth == 0 ? Expect.NOTHING : Expect.COMMA_OR_END;
        return token;
    }

    private JsonToken literal(String word, JsonToken token) {
        for (int i = 0; i < word.length(); i++) {
            if (at + i >= end || in[at + i] != word.charAt(i)) {
                return fail("a value was expected");
            }
        }
        at += word.length();
        return ended(token);
    }

    private JsonToken number() {
        textFrom = at;
        if (in[at] == '-') {
            at++;
        }
        if (peek() == '0') {
            at++;
        } else if (!digits()) {
            return fail("a digit was expected");
        }
        if (peek() == '.') {
            at++;
            if (!digits()) {
                return fail("a digit was expected");
            }
        }
        if ((peek() | 0x20) == 'e') {
            at++;
            if (peek() == '+' || peek() == '-') {
                at++;
            }
            if (!digits()) {
                return fail("a digit was expected");
            }
        }
        textTo = at;
        return isDigit(peek()) ? fail("a number begins with 0") : ended(JsonToken.NUMBER);
    }

    private boolean digits() {
        int from = at;
        while (isDigit(peek())) {
            at++;
        }
        return at > from;
    }

    private static boolean isDigit(int c) {
        return c >= '0' && c <= '9';
    }

    private int peek() {
        return at < end ? in[at] : -1;
    }

    private int skipSpace() {
        while (at < end) {
            int c = in[at];
            if (c != ' ' && c != '\n' && c != '\r' && c != '\t') {
                return c & 0xff;
            }
            at++;
        }
        return -1;
    }

    /// Reads the string whose opening quote is next.
    private boolean string() {
        int i = at + 1;
        textFrom = i;
        canonicalLength = 0;
        decodedLength = 0;
        escaped = false;
        canonical = true;
        loneSurrogate = false;
        while (true) {
            i = skipPlain(i);
            if (i >= end) {
                return failed("a string does not end");
            }
            int c = in[i];
            if (c == '"') {
                break;
            }
            if (c == '\\') {
                i = escape(i);
            } else if (c >= 0) {
                return failed("a control character stands unescaped in a string");
            } else {
                i = wideCharacter(i);
            }
            if (i < 0) {
                return false;
            }
        }
        textTo = i;
        at = i + 1;
        // The two lengths hold what escapes save so far; the rest stands as it is.
        canonicalLength += textTo - textFrom;
        decodedLength += textTo - textFrom;
        return true;
    }

    /// Index of the first byte from `i` on that is not printable ASCII other than quote and backslash; eight
    /// at a time.
    private int skipPlain(int i) {
        int next = i;
        while (next + 8 <= end) {
            long word = (long) LONGS.get(in, next);
            long quote = word ^ (ONES * '"');
            long backslash = word ^ (ONES * '\\');
            // The highest bit of each byte that is not ASCII, is below 0x20, or became zero by the exclusive or.
            long control = (word - ONES * 0x20) & ~word;
            long ending = ((quote - ONES) & ~quote) | ((backslash - ONES) & ~backslash);
            long special = (word | control | ending) & HIGHS;
            if (special != 0) {
                return next + (Long.numberOfTrailingZeros(special) >>> 3);
            }
            next += 8;
        }
        while (next < end && in[next] >= 0x20 && in[next] != '"' && in[next] != '\\') {
            next++;
        }
        return next;
    }

    /// Passes over the escape at `i`; negative after a failure.
    private int escape(int i) {
        escaped = true;
        int c = i + 1 < end ? in[i + 1] : -1;
        switch (c) {
            case '"', '\\', 'b', 'f', 'n', 'r', 't' -> decodedLength -= 1;
            case '/' -> rewrite(2, 1, 1);
            case 'u' -> {
                return unicodeEscape(i);
            }
            default -> {
                failed("an escape is unknown");
                return -1;
            }
        }
        return i + 2;
    }

    private int unicodeEscape(int i) {
        int unit = JsonText.unit(in, i + 2, end);
        if (unit < 0) {
            failed("an escape is not \\u and four hex digits");
            return -1;
        }
        if (Character.isHighSurrogate((char) unit)) {
            return surrogatePair(i);
        }
        if (Character.isLowSurrogate((char) unit)) {
            return loneSurrogate(i);
        }
        int canonicalBytes = JsonText.escapedLength(unit);
        if (canonicalBytes == 6 && JsonText.isLowerCase(in, i + 2)) {
            decodedLength -= 5;
        } else {
            rewrite(6, canonicalBytes, JsonText.utf8Length(unit));
        }
        return i + 6;
    }

    private int surrogatePair(int i) {
        boolean pair = i + 8 <= end && in[i + 6] == '\\' && in[i + 7] == 'u';
        int low = pair ? JsonText.unit(in, i + 8, end) : -1;
        if (low < 0 || !Character.isLowSurrogate((char) low)) {
            // What follows is read on its own: it may be a fault, or a character in its own right.
            return loneSurrogate(i);
        }
        rewrite(12, 4, 4);
        return i + 12;
    }

    private int loneSurrogate(int i) {
        loneSurrogate = true;
        loneSurrogateFound = true;
        canonical = false;
        return i + 6;
    }

    private void rewrite(int rawBytes, int canonicalBytes, int decodedBytes) {
        canonical = false;
        canonicalLength += canonicalBytes - rawBytes;
        decodedLength += decodedBytes - rawBytes;
    }

    /// Passes over one UTF-8 character of several bytes; negative after a failure.
    private int wideCharacter(int i) {
        int length = JsonText.wideLength(in, i, end);
        if (length == 0) {
            failed("a string is not UTF-8");
            return -1;
        }
        return i + length;
    }

    private JsonToken fail(String reason) {
        failed(reason);
        return JsonToken.FAILURE;
    }

    private boolean failed(String reason) {
        failure = reason + " (byte " + at + ")";
        return false;
    }
}
