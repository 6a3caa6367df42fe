package dev.grapnel.git.pack;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.zip.CRC32;
import java.util.zip.Deflater;

/// Appends objects to a file as a pack has them when they are whole.
final class WholeEntries {
    private static final int PIECE = 1 << 16;

    private final FileChannel file;
    private final long bytesMax;
    private final String tooLarge;
    private final byte[] piece = new byte[PIECE];
    private final byte[] packed = new byte[PIECE];
    private final CRC32 crc = new CRC32();
    private long position;

    /// @param bytesMax of the file
    /// @param tooLarge why the pack is refused when there is more
    WholeEntries(FileChannel file, long bytesMax, String tooLarge) throws IOException {
        this.file = file;
        this.bytesMax = bytesMax;
        this.tooLarge = tooLarge;
        this.position = file.size();
    }

    /// Where the next one begins.
    long position() {
        return position;
    }

    /// Appends an object.
    ///
    /// @param type its number
    /// @return the checksum of what was written
    int append(int type, Content content) throws IOException, PackRefused {
        crc.reset();
        write(EntryHead.put(packed, type, content.size()));
        var deflater = new Deflater();
        try {
            for (long at = 0; at < content.size(); at += PIECE) {
                Halt.ifInterrupted("an object was packed");
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
        return (int) crc.getValue();
    }

    private void drain(Deflater deflater) throws IOException, PackRefused {
        while (true) {
            int length = deflater.deflate(packed);
            if (length == 0) {
                return;
            }
            write(length);
        }
    }

    private void write(int length) throws IOException, PackRefused {
        if (length > bytesMax - position) {
            throw new PackRefused(tooLarge);
        }
        crc.update(packed, 0, length);
        FullWrites.put(file, position, packed, length);
        position += length;
    }
}
