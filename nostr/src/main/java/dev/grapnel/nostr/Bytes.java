package dev.grapnel.nostr;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// An immutable sequence of bytes with value equality, so that it may be a record's component.
public final class Bytes {
    /// No bytes.
    public static final Bytes EMPTY = new Bytes(new byte[0]);

    private final byte[] bytes;

    private Bytes(byte[] bytes) {
        this.bytes = bytes;
    }

    /// A copy of the given bytes.
    public static Bytes copyOf(byte... bytes) {
        return bytes.length == 0 ? EMPTY : new Bytes(bytes.clone());
    }

    /// A copy of a range.
    public static Bytes copyOf(byte[] bytes, int from, int to) {
        return from == to ? EMPTY : new Bytes(Arrays.copyOfRange(bytes, from, to));
    }

    /// Takes the array over without a copy: the caller must not touch it again.
    public static Bytes wrap(byte[] bytes) {
        return new Bytes(bytes);
    }

    /// Bytes of hex digits of any case.
    public static Parsed<Bytes> parseHex(String hex) {
        var ascii = hex.getBytes(StandardCharsets.UTF_8);
        return Hex.parseAnyCase(ascii, 0, ascii.length);
    }

    /// How many there are.
    public int length() {
        return bytes.length;
    }

    /// The byte at an index, 0 to 255.
    public int at(int index) {
        return bytes[index] & 0xff;
    }

    /// A copy as an array.
    public byte[] toArray() {
        return bytes.clone();
    }

    /// Reads the bytes without copying them.
    public InputStream stream() {
        return new ByteArrayInputStream(bytes);
    }

    /// A view that cannot be written to.
    public ByteBuffer buffer() {
        return ByteBuffer.wrap(bytes).asReadOnlyBuffer();
    }

    /// Copies everything into `target`.
    public void copyTo(byte[] target, int at) {
        System.arraycopy(bytes, 0, target, at, bytes.length);
    }

    /// Lower-case hex digits.
    public String toHex() {
        return Hex.format(bytes);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Bytes that && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    /// Hex digits, cut after 64 bytes.
    @Override
    public String toString() {
        return bytes.length <= 64 ? toHex() : Hex.format(Arrays.copyOf(bytes, 64)) + "… (" + bytes.length + " bytes)";
    }
}
