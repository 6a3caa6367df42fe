package dev.grapnel.git.pack;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.security.MessageDigest;

/// Makes a pack complete in itself: appends bases that it left out, and puts its head and checksum right.
final class Completion {
    private static final int PIECE = 1 << 16;
    private static final int COUNT_AT = 8;

    private final FileChannel file;
    private final WholeEntries entries;

    /// @param bytesMax of the complete pack
    Completion(FileChannel file, long bytesMax) throws IOException {
        this.file = file;
        this.entries = new WholeEntries(
                file, bytesMax, "with the bases that it leaves out the pack is larger than " + bytesMax + " bytes");
    }

    /// Appends an object, and tells the table where it is.
    void append(ObjectTable table, int object, Content content) throws IOException, PackRefused {
        long offset = entries.position();
        table.place(object, offset, entries.append(table.type(object), content));
    }

    /// Writes the number of objects and the checksum, for which the whole file is read again.
    ///
    /// @return the checksum
    byte[] finish(int objects) throws IOException {
        var piece = new byte[PIECE];
        Raw.setInteger(piece, 0, objects);
        FullWrites.put(file, COUNT_AT, piece, Integer.BYTES);
        MessageDigest digest = Checksum.sha1();
        var bytes = ByteBuffer.wrap(piece);
        int count;
        for (long at = 0; (count = file.read(bytes.clear(), at)) > 0; at += count) {
            digest.update(piece, 0, count);
        }
        return digest.digest();
    }
}
