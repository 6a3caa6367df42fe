package dev.grapnel.git.pack;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.security.MessageDigest;

/// Writes the index of a pack, version 2, as git writes it.
final class PackIndexWriter {
    private static final int MAGIC = 0xff744f63;
    private static final int VERSION = 2;
    private static final int BUFFER = 1 << 14;
    private static final int RECORD_MAX = 20;
    private static final long SMALL_OFFSET_MAX = Integer.MAX_VALUE;

    private final ObjectTable table;
    private final IdOrder order;
    private final FileChannel file;
    private final MessageDigest digest = Checksum.sha1();
    private final byte[] buffer = new byte[BUFFER];
    private int filled;

    PackIndexWriter(ObjectTable table, IdOrder order, FileChannel file) {
        this.table = table;
        this.order = order;
        this.file = file;
    }

    void write(byte[] packChecksum) throws IOException {
        putInteger(MAGIC);
        putInteger(VERSION);
        writeCounts();
        for (int i = 0; i < order.size(); i++) {
            int object = order.at(i);
            makeRoom();
            Raw.setNumber(buffer, filled, table.a(object));
            Raw.setNumber(buffer, filled + 8, table.b(object));
            Raw.setInteger(buffer, filled + 16, table.c(object));
            filled += 20;
        }
        for (int i = 0; i < order.size(); i++) {
            putInteger(table.crc(order.at(i)));
        }
        writeOffsets();
        putBytes(packChecksum);
        settle();
        putBytes(digest.digest());
        settle();
    }

    /// How many ids begin with each byte or a lesser one.
    private void writeCounts() throws IOException {
        int position = 0;
        for (int first = 0; first < 256; first++) {
            while (position < order.size() && table.a(order.at(position)) >>> 56 == first) {
                position++;
            }
            putInteger(position);
        }
    }

    private void writeOffsets() throws IOException {
        int large = 0;
        for (int i = 0; i < order.size(); i++) {
            long offset = table.offset(order.at(i));
            putInteger(offset > SMALL_OFFSET_MAX ? Integer.MIN_VALUE | large++ : (int) offset);
        }
        for (int i = 0; large > 0 && i < order.size(); i++) {
            long offset = table.offset(order.at(i));
            if (offset > SMALL_OFFSET_MAX) {
                putInteger((int) (offset >>> 32));
                putInteger((int) offset);
                large--;
            }
        }
    }

    private void putInteger(int value) throws IOException {
        makeRoom();
        Raw.setInteger(buffer, filled, value);
        filled += Integer.BYTES;
    }

    private void putBytes(byte[] bytes) throws IOException {
        makeRoom();
        System.arraycopy(bytes, 0, buffer, filled, bytes.length);
        filled += bytes.length;
    }

    private void makeRoom() throws IOException {
        if (filled > BUFFER - RECORD_MAX) {
            settle();
        }
    }

    private void settle() throws IOException {
        digest.update(buffer, 0, filled);
        FullWrites.append(file, buffer, filled);
        filled = 0;
    }
}
