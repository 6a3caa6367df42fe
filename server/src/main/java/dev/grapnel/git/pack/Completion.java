package dev.grapnel.git.pack;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.security.MessageDigest;
import java.util.zip.CRC32;
import java.util.zip.Deflater;

/// Makes a pack complete in itself: appends bases that it left out, and puts its head and checksum right.
final class Completion {
    private static final int PIECE = 1 << 16;
    private static final int COUNT_AT = 8;

    private final FileChannel file;
    private final long bytesMax;
    private final byte[] piece = new byte[PIECE];
    private final byte[] packed = new byte[PIECE];
    private final CRC32 crc = new CRC32();
    private long position;

    /// @param bytesMax of the complete pack
    Completion(FileChannel file, long bytesMax) throws IOException {
        this.file = file;
        this.bytesMax = bytesMax;
        this.position = file.size();
    }

    /// Appends an object, and tells the table where it is.
    void append(ObjectTable table, int object, Content content) throws IOException, PackRefused {
        long offset = position;
        crc.reset();
        write(packed, head(table.type(object), content.size()));
        var deflater = new Deflater();
        try {
            for (long at = 0; at < content.size(); at += PIECE) {
                int length = (int) Math.min(PIECE, content.size() - at);
                content.read(at, piece, 0, length);
                deflater.setInput(piece, 0, length);
                drain(deflater);
            }
            deflater.finish();
            drain(deflater);
        } finally {
            deflater.end();
        }
        table.place(object, offset, (int) crc.getValue());
    }

    private int head(int type, long size) {
        int length = 0;
        long rest = size >>> 4;
        int b = type << 4 | ((int) size & 15);
        while (rest > 0) {
            packed[length++] = (byte) (b | 0x80);
            b = (int) rest & 0x7f;
            rest >>>= 7;
        }
        packed[length++] = (byte) b;
        return length;
    }

    private void drain(Deflater deflater) throws IOException, PackRefused {
        while (true) {
            int length = deflater.deflate(packed);
            if (length == 0) {
                return;
            }
            write(packed, length);
        }
    }

    private void write(byte[] bytes, int length) throws IOException, PackRefused {
        if (position + length > bytesMax) {
            throw new PackRefused("with the bases that it leaves out the pack is larger than " + bytesMax + " bytes");
        }
        crc.update(bytes, 0, length);
        FullWrites.put(file, position, bytes, length);
        position += length;
    }

    /// Writes the number of objects and the checksum, for which the whole file is read again.
    ///
    /// @return the checksum
    byte[] finish(int objects) throws IOException {
        Raw.setInteger(packed, 0, objects);
        FullWrites.put(file, COUNT_AT, packed, Integer.BYTES);
        MessageDigest digest = Checksum.sha1();
        var bytes = ByteBuffer.wrap(piece);
        int count;
        for (long at = 0; (count = file.read(bytes.clear(), at)) > 0; at += count) {
            digest.update(piece, 0, count);
        }
        return digest.digest();
    }
}
