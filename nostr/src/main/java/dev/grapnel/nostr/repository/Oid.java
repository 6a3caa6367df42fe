package dev.grapnel.nostr.repository;

import dev.grapnel.nostr.Hex;
import dev.grapnel.nostr.Parsed;
import java.nio.charset.StandardCharsets;

/// A git object id: 40 lower-case hex digits (SHA-1). Nothing else can ever be present in a repository here,
/// neither upper case nor 64 digits, and nothing else is handed to git.
///
/// Twenty bytes kept as numbers: a state may declare 25,000 of them.
public record Oid(long a, long b, int c) implements Comparable<Oid> {
    /// Hex digits in text form.
    public static final int DIGITS = 40;

    /// What git writes for "no object".
    public static final Oid ZERO = new Oid(0, 0, 0);

    /// Reads exactly 40 lower-case hex digits.
    public static Parsed<Oid> parse(String hex) {
        if (!Hex.isHex(hex, DIGITS)) {
            return Parsed.invalid("not 40 lower-case hex digits");
        }
        var ascii = hex.getBytes(StandardCharsets.ISO_8859_1);
        return Parsed.valid(new Oid(Hex.word(ascii, 0), Hex.word(ascii, 16), (int) Hex.word(ascii, 24)));
    }

    /// Whether this is the id that names no object.
    public boolean isZero() {
        return equals(ZERO);
    }

    @Override
    public int compareTo(Oid other) {
        int order = Long.compareUnsigned(a, other.a);
        if (order == 0) {
            order = Long.compareUnsigned(b, other.b);
        }
        return order != 0 ? order : Integer.compareUnsigned(c, other.c);
    }

    /// The digits.
    @Override
    public String toString() {
        var ascii = new byte[DIGITS];
        Hex.writeWord(a, ascii, 0);
        Hex.writeWord(b, ascii, 16);
        Hex.writeWord(b << 32 | Integer.toUnsignedLong(c), ascii, 24); // once more the end of b, then c
        return new String(ascii, StandardCharsets.ISO_8859_1);
    }
}
