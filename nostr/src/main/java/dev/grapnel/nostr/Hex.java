package dev.grapnel.nostr;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// Lower-case hex, the only spelling the protocol signs and compares. Works on ASCII bytes, because ids are
/// read from and written to JSON far more often than they meet a `String`.
public final class Hex {
    private static final byte[] DIGITS = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
    private static final VarHandle DIGIT_WORDS =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    private static final long ONES = 0x0101010101010101L;
    private static final long HIGHS = 0x8080808080808080L;
    private static final byte[] VALUES = values();
    private static final byte[] VALUES_OF_ANY_CASE = valuesOfAnyCase();

    private Hex() {}

    /// Whether every byte of the range is a lower-case hex digit; ranges whose length is a multiple of eight are
    /// looked at eight digits at a time.
    public static boolean isHex(byte[] ascii, int from, int to) {
        long good = HIGHS;
        int i = from;
        for (; i + Long.BYTES <= to; i += Long.BYTES) {
            good &= goodDigits((long) DIGIT_WORDS.get(ascii, i));
        }
        int seen = 0;
        for (; i < to; i++) {
            seen |= VALUES[ascii[i] & 0xff];
        }
        return good == HIGHS && seen >= 0;
    }

    /// The highest bit of each byte that is one of `0` to `9` or `a` to `f`. Adding so much to a byte of ASCII sets
    /// its highest bit exactly from a certain character on, and never carries into the next byte.
    private static long goodDigits(long eight) {
        long ascii = eight & ~HIGHS;
        long decimal = (ascii + ONES * (0x80 - '0')) & ~(ascii + ONES * (0x80 - '9' - 1));
        long letter = (ascii + ONES * (0x80 - 'a')) & ~(ascii + ONES * (0x80 - 'f' - 1));
        return (decimal | letter) & ~eight & HIGHS;
    }

    /// Whether the text is exactly `digits` lower-case hex digits.
    public static boolean isHex(String text, int digits) {
        return text.length() == digits && areDigits(text, VALUES);
    }

    /// Whether the text is exactly `digits` hex digits of any case.
    public static boolean isHexOfAnyCase(String text, int digits) {
        return text.length() == digits && areDigits(text, VALUES_OF_ANY_CASE);
    }

    private static boolean areDigits(String text, byte[] values) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c >= values.length || values[c] < 0) {
                return false;
            }
        }
        return true;
    }

    /// The big-endian value of sixteen hex digits that [#isHex] has accepted.
    public static long word(byte[] ascii, int at) {
        return half((long) DIGIT_WORDS.get(ascii, at)) << 32 | half((long) DIGIT_WORDS.get(ascii, at + 8));
    }

    /// The value of eight digits: four bits of each byte, then neighbours are drawn together three times.
    private static long half(long eight) {
        long bits = (eight & ONES * 15) + ((eight >>> 6) & ONES) * 9;
        bits = (bits | bits >>> 4) & 0x00ff00ff00ff00ffL;
        bits = (bits | bits >>> 8) & 0x0000ffff0000ffffL;
        return (bits | bits >>> 16) & 0xffffffffL;
    }

    /// Writes a word as sixteen digits.
    public static void writeWord(long word, byte[] out, int at) {
        DIGIT_WORDS.set(out, at, digits(word >>> 32));
        DIGIT_WORDS.set(out, at + 8, digits(word & 0xffffffffL));
    }

    /// The eight digits of 32 bits: they are drawn apart three times, until each byte has four.
    private static long digits(long half) {
        long bits = (half | half << 16) & 0x0000ffff0000ffffL;
        bits = (bits | bits << 8) & 0x00ff00ff00ff00ffL;
        bits = (bits | bits << 4) & ONES * 15;
        long letters = (bits + ONES * 6) >>> 4 & ONES; // 1 in each byte from ten on
        return bits + ONES * '0' + letters * ('a' - '9' - 1);
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
