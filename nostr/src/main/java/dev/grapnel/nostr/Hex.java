package dev.grapnel.nostr;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// Lower-case hex, the only spelling the protocol signs and compares. Works on ASCII bytes, because ids are
/// read from and written to JSON far more often than they meet a `String`.
public final class Hex {
    private static final byte[] DIGITS = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] VALUES = values();
    private static final byte[] VALUES_OF_ANY_CASE = valuesOfAnyCase();

    private Hex() {}

    /// Whether every byte of the range is a lower-case hex digit.
    public static boolean isHex(byte[] ascii, int from, int to) {
        int seen = 0;
        for (int i = from; i < to; i++) {
            seen |= VALUES[ascii[i] & 0xff];
        }
        return seen >= 0;
    }

    /// Whether the text is exactly `digits` lower-case hex digits.
    public static boolean isHex(String text, int digits) {
        return text.length() == digits && text.chars().allMatch(c -> c < 256 && VALUES[c] >= 0);
    }

    /// Whether the text is exactly `digits` hex digits of any case.
    public static boolean isHexOfAnyCase(String text, int digits) {
        return text.length() == digits && text.chars().allMatch(c -> c < 256 && VALUES_OF_ANY_CASE[c] >= 0);
    }

    /// The big-endian value of sixteen hex digits that [#isHex] has accepted.
    public static long word(byte[] ascii, int at) {
        long word = 0;
        for (int i = at; i < at + 16; i++) {
            word = word << 4 | VALUES[ascii[i] & 0xff];
        }
        return word;
    }

    /// Writes a word as sixteen digits.
    public static void writeWord(long word, byte[] out, int at) {
        long rest = word;
        for (int i = at + 15; i >= at; i--) {
            out[i] = DIGITS[(int) (rest & 15)];
            rest >>>= 4;
        }
    }

    /// Lower-case digits of the bytes.
    public static String format(byte[] bytes) {
        var out = new byte[bytes.length * 2];
        write(bytes, 0, bytes.length, out, 0);
        return new String(out, StandardCharsets.ISO_8859_1);
    }

    /// Writes two digits for each byte of the range.
    public static void write(byte[] bytes, int from, int to, byte[] out, int at) {
        int next = at;
        for (int i = from; i < to; i++) {
            out[next++] = DIGITS[bytes[i] >> 4 & 15];
            out[next++] = DIGITS[bytes[i] & 15];
        }
    }

    /// Reads digits of any case; `invalid` when their number is odd or one is no digit.
    public static Parsed<Bytes> parseAnyCase(byte[] ascii, int from, int to) {
        int length = to - from;
        if ((length & 1) != 0) {
            return Parsed.invalid("odd number of hex digits");
        }
        var bytes = new byte[length / 2];
        int seen = 0;
        for (int i = 0; i < bytes.length; i++) {
            int high = VALUES_OF_ANY_CASE[ascii[from + 2 * i] & 0xff];
            int low = VALUES_OF_ANY_CASE[ascii[from + 2 * i + 1] & 0xff];
            seen |= high | low;
            bytes[i] = (byte) (high << 4 | low);
        }
        return seen < 0 ? Parsed.invalid("not hex") : Parsed.valid(Bytes.wrap(bytes));
    }

    private static byte[] values() {
        var values = new byte[256];
        Arrays.fill(values, (byte) -1);
        for (byte i = 0; i < 16; i++) {
            values[DIGITS[i]] = i;
        }
        return values;
    }

    private static byte[] valuesOfAnyCase() {
        var values = values();
        for (byte i = 10; i < 16; i++) {
            values['A' + i - 10] = i;
        }
        return values;
    }
}
