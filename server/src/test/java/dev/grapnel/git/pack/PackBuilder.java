package dev.grapnel.git.pack;

import dev.grapnel.git.GitIds;
import dev.grapnel.git.ObjectType;
import dev.grapnel.nostr.repository.Oid;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.zip.Deflater;

/// Makes packs by hand, honest ones and others.
public final class PackBuilder {
    private final ByteArrayOutputStream objects = new ByteArrayOutputStream();
    private int count;

    /// Where the next object will begin.
    public int offset() {
        return 12 + objects.size();
    }

    /// A whole object.
    public PackBuilder add(ObjectType type, byte[] content) {
        return add(type.number(), content.length, content);
    }

    public PackBuilder blob(String content) {
        return add(ObjectType.BLOB, bytes(content));
    }

    /// An object of any type and announced size.
    public PackBuilder add(int type, long size, byte[] content) {
        head(type, size);
        deflated(content);
        return this;
    }

    /// An object whose compressed bytes are given.
    public PackBuilder addRaw(int type, long size, byte[] packed) {
        head(type, size);
        objects.writeBytes(packed);
        return this;
    }

    /// A delta on what begins at this offset.
    public PackBuilder deltaOn(int baseOffset, byte[] delta) {
        long distance = (long) offset() - baseOffset;
        head(6, delta.length);
        var digits = new ByteArrayOutputStream();
        var reversed = new byte[10];
        int length = 0;
        reversed[length++] = (byte) (distance & 0x7f);
        while ((distance >>= 7) > 0) {
            reversed[length++] = (byte) ((--distance & 0x7f) | 0x80);
        }
        while (length > 0) {
            digits.write(reversed[--length]);
        }
        objects.writeBytes(digits.toByteArray());
        deflated(delta);
        return this;
    }

    /// A delta on an object of this id.
    public PackBuilder deltaOn(Oid base, byte[] delta) {
        head(7, delta.length);
        objects.writeBytes(HexFormat.of().parseHex(base.toString()));
        deflated(delta);
        return this;
    }

    public byte[] build() {
        return build(count);
    }

    /// A pack that announces so many objects.
    public byte[] build(long announced) {
        return build(0x5041434b, 2, announced);
    }

    public byte[] build(int magic, int version, long announced) {
        var pack = new ByteArrayOutputStream();
        var head = new byte[12];
        Raw.setInteger(head, 0, magic);
        Raw.setInteger(head, 4, version);
        Raw.setInteger(head, 8, (int) announced);
        pack.writeBytes(head);
        pack.writeBytes(objects.toByteArray());
        pack.writeBytes(Checksum.sha1().digest(pack.toByteArray()));
        return pack.toByteArray();
    }

    /// The id of an object.
    public static Oid idOf(ObjectType type, byte[] content) {
        var sha1 = Checksum.sha1();
        sha1.update(bytes(type.word() + " " + content.length + "\0"));
        return GitIds.read(sha1.digest(content), 0);
    }

    public static Oid idOfBlob(String content) {
        return idOf(ObjectType.BLOB, bytes(content));
    }

    /// One byte for each character.
    public static byte[] bytes(String latin) {
        return latin.getBytes(StandardCharsets.ISO_8859_1);
    }

    /// An entry of a tree.
    public static byte[] entry(String mode, String name, Oid id) {
        return join(bytes(mode + " " + name + "\0"), HexFormat.of().parseHex(id.toString()));
    }

    public static byte[] join(byte[]... parts) {
        var whole = new ByteArrayOutputStream();
        for (var part : parts) {
            whole.writeBytes(part);
        }
        return whole.toByteArray();
    }

    /// A delta: sizes of base and result, and instructions.
    public static byte[] delta(long baseSize, long resultSize, byte[]... instructions) {
        return join(varint(baseSize), varint(resultSize), join(instructions));
    }

    public static byte[] insert(String text) {
        return join(new byte[] {(byte) text.length()}, bytes(text));
    }

    public static byte[] copy(int from, int length) {
        return new byte[] {
            (byte) 0xff,
            (byte) from,
            (byte) (from >> 8),
            (byte) (from >> 16),
            (byte) (from >> 24),
            (byte) length,
            (byte) (length >> 8),
            (byte) (length >> 16)
        };
    }

    private static byte[] varint(long value) {
        var bytes = new ByteArrayOutputStream();
        long rest = value;
        while (rest > 0x7f) {
            bytes.write((int) ((rest & 0x7f) | 0x80));
            rest >>>= 7;
        }
        bytes.write((int) rest);
        return bytes.toByteArray();
    }

    public static byte[] deflate(byte[] content) {
        var deflater = new Deflater();
        deflater.setInput(content);
        deflater.finish();
        var packed = new ByteArrayOutputStream();
        var buffer = new byte[4096];
        while (!deflater.finished()) {
            packed.write(buffer, 0, deflater.deflate(buffer));
        }
        deflater.end();
        return packed.toByteArray();
    }

    private void head(int type, long size) {
        count++;
        long rest = size >>> 4;
        int b = type << 4 | (int) (size & 15);
        while (rest > 0) {
            objects.write(b | 0x80);
            b = (int) (rest & 0x7f);
            rest >>>= 7;
        }
        objects.write(b);
    }

    private void deflated(byte[] content) {
        objects.writeBytes(deflate(content));
    }
}
