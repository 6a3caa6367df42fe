package dev.grapnel.nostr.event;

import dev.grapnel.nostr.Word256;
import dev.grapnel.nostr.json.JsonText;
import java.nio.charset.StandardCharsets;

/// Fills the normalised JSON of an event (relay 1.6) into one array of exactly its size.
final class Layout {
    static final byte[] ID = ascii("{\"id\":\"");
    static final byte[] PUBKEY = ascii("\",\"pubkey\":\"");
    static final byte[] CREATED_AT = ascii("\",\"created_at\":");
    static final byte[] KIND = ascii(",\"kind\":");
    static final byte[] TAGS = ascii(",\"tags\":");
    static final byte[] CONTENT = ascii(",\"content\":");
    static final byte[] SIG = ascii(",\"sig\":\"");
    static final byte[] END = ascii("\"}");

    /// Bytes of everything but the two numbers, tags and content.
    static final int FIXED = ID.length
            + PUBKEY.length
            + CREATED_AT.length
            + KIND.length
            + TAGS.length
            + CONTENT.length
            + SIG.length
            + END.length
            + 64
            + 64
            + 128;

    /// Where the digits of the id, of the key and of the date begin.
    static final int ID_AT = ID.length;

    static final int PUBKEY_AT = ID_AT + Word256.DIGITS + PUBKEY.length;
    static final int CREATED_AT_AT = PUBKEY_AT + Word256.DIGITS + CREATED_AT.length;

    private final byte[] out;
    private int at;

    Layout(int length) {
        out = new byte[length];
    }

    Layout raw(byte[] ascii) {
        return digits(ascii, 0, ascii.length);
    }

    Layout digits(byte[] ascii, int from, int count) {
        System.arraycopy(ascii, from, out, at, count);
        at += count;
        return this;
    }

    void number(long value) {
        at = Digits.write(value, out, at);
    }

    /// Scanned JSON, copied as it is if it is canonical already.
    void json(byte[] in, int from, int to, boolean canonical) {
        if (canonical) {
            digits(in, from, to - from);
        } else {
            at = JsonText.canonicalise(in, from, to, out, at);
        }
    }

    int position() {
        return at;
    }

    /// The array, which must be full.
    byte[] filled() {
        if (at != out.length) {
            throw new IllegalStateException("filled " + at + " bytes of " + out.length);
        }
        return out;
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
