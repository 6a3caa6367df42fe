package dev.grapnel.nostr.json;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.Word256;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// Builds JSON text in a growing buffer, strings escaped canonically. Brackets, commas and colons are the
/// caller's.
public final class JsonWriter {
    private byte[] out;
    private int length;

    /// A writer with room for about so many bytes.
    public JsonWriter(int expected) {
        out = new byte[Math.max(expected, 64)];
    }

    /// Brackets, names and other text that is ASCII and needs no escape.
    public JsonWriter raw(String ascii) {
        reserve(ascii.length());
        for (int i = 0; i < ascii.length(); i++) {
            out[length++] = (byte) ascii.charAt(i);
        }
        return this;
    }

    /// Bytes that are JSON already.
    public JsonWriter raw(Bytes json) {
        reserve(json.length());
        json.copyTo(out, length);
        length += json.length();
        return this;
    }

    /// A whole number.
    public JsonWriter number(long value) {
        return raw(Long.toString(value));
    }

    /// An id or key in quotes.
    public JsonWriter hex(Word256 value) {
        reserve(Word256.DIGITS + 2);
        out[length] = '"';
        value.writeHex(out, length + 1);
        length += Word256.DIGITS + 2;
        out[length - 1] = '"';
        return this;
    }

    /// A string in quotes.
    ///
    /// @throws IllegalArgumentException if it holds half of a surrogate pair, which no UTF-8 text can
    public JsonWriter string(String text) {
        // Six bytes a UTF-16 unit is the most any character needs; long texts get it piece by piece.
        reserve(text.length() + 2);
        out[length++] = '"';
        int i = writePlain(text);
        while (i < text.length()) {
            reserve(8);
            int codePoint = text.codePointAt(i);
            if (codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE) {
                throw new IllegalArgumentException("half of a surrogate pair at index " + i);
            }
            length = JsonText.writeEscaped(codePoint, out, length);
            i += Character.charCount(codePoint);
        }
        reserve(1);
        out[length++] = '"';
        return this;
    }

    /// Writes what needs no escape and is ASCII, for which there is room; most texts are nothing else.
    ///
    /// @return where it ends
    private int writePlain(String text) {
        int at = length;
        int i = 0;
        for (; i < text.length(); i++) {
            char c = text.charAt(i);
            if (!JsonText.isPlain(c)) {
                break;
            }
            out[at + i] = (byte) c;
        }
        length += i;
        return i;
    }

    /// A string in quotes whose text is escaped already, as a part of an array.
    public JsonWriter escaped(byte[] text, int from, int to) {
        reserve(to - from + 2);
        out[length] = '"';
        System.arraycopy(text, from, out, length + 1, to - from);
        length += to - from + 2;
        out[length - 1] = '"';
        return this;
    }

    /// Bytes written so far.
    public int length() {
        return length;
    }

    /// What was written.
    public Bytes toBytes() {
        return Bytes.copyOf(out, 0, length);
    }

    /// What was written, as an array of exactly that length.
    public byte[] toArray() {
        return Arrays.copyOf(out, length);
    }

    /// What was written, as text.
    @Override
    public String toString() {
        return new String(out, 0, length, StandardCharsets.UTF_8);
    }

    private void reserve(int more) {
        if (out.length - length < more) {
            out = Arrays.copyOf(out, Math.max(out.length * 2, length + more));
        }
    }
}
