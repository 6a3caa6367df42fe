package dev.grapnel.nostr;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/// What ids and keys have in common: 32 bytes kept as four big-endian words. No array in a record, cheap to
/// compare, hash and store.
public interface Word256 {
    /// Bytes in binary form.
    int BYTES = 32;

    /// Hex digits in text form.
    int DIGITS = 64;

    /// Bytes 0 to 7.
    long a();

    /// Bytes 8 to 15.
    long b();

    /// Bytes 16 to 23.
    long c();

    /// Bytes 24 to 31.
    long d();

    /// The 32 bytes.
    default byte[] toBytes() {
        var bytes = new byte[BYTES];
        writeBytes(bytes, 0);
        return bytes;
    }

    /// Writes the 32 bytes.
    default void writeBytes(byte[] out, int at) {
        Words.BIG_ENDIAN.set(out, at, a());
        Words.BIG_ENDIAN.set(out, at + 8, b());
        Words.BIG_ENDIAN.set(out, at + 16, c());
        Words.BIG_ENDIAN.set(out, at + 24, d());
    }

    /// Writes 64 hex digits.
    default void writeHex(byte[] out, int at) {
        Hex.writeWord(a(), out, at);
        Hex.writeWord(b(), out, at + 16);
        Hex.writeWord(c(), out, at + 32);
        Hex.writeWord(d(), out, at + 48);
    }

    /// 64 lower-case hex digits.
    default String toHex() {
        var out = new byte[DIGITS];
        writeHex(out, 0);
        return new String(out, StandardCharsets.ISO_8859_1);
    }

    /// Order of the bytes, unsigned, which is also the order of the hex text.
    static int compare(Word256 left, Word256 right) {
        int order = Long.compareUnsigned(left.a(), right.a());
        if (order == 0) {
            order = Long.compareUnsigned(left.b(), right.b());
        }
        if (order == 0) {
            order = Long.compareUnsigned(left.c(), right.c());
        }
        return order != 0 ? order : Long.compareUnsigned(left.d(), right.d());
    }

    /// The parts of a value whose bytes or digits are at hand.
    interface Maker<T> {
        /// Makes the value of its four words.
        T of(long a, long b, long c, long d);

        /// From 32 bytes beginning at an index.
        default T ofBytes(byte[] bytes, int at) {
            return of(
                    (long) Words.BIG_ENDIAN.get(bytes, at),
                    (long) Words.BIG_ENDIAN.get(bytes, at + 8),
                    (long) Words.BIG_ENDIAN.get(bytes, at + 16),
                    (long) Words.BIG_ENDIAN.get(bytes, at + 24));
        }

        /// From 64 digits that [Hex#isHex] has accepted.
        default T ofHex(byte[] ascii, int at) {
            return of(
                    Hex.word(ascii, at), Hex.word(ascii, at + 16), Hex.word(ascii, at + 32), Hex.word(ascii, at + 48));
        }

        /// From text that must be exactly 64 lower-case hex digits.
        default Parsed<T> parse(String hex) {
            return Hex.isHex(hex, DIGITS)
                    ? Parsed.valid(ofHex(hex.getBytes(StandardCharsets.ISO_8859_1), 0))
                    : Parsed.invalid("not 64 lower-case hex digits");
        }
    }
}

/// Access to bytes by words; apart, because everything in an interface is public.
final class Words {
    static final VarHandle BIG_ENDIAN = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private Words() {}
}
