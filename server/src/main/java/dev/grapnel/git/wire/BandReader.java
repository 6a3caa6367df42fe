package dev.grapnel.git.wire;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/// The data band of what a [SideBand] wrote at the other end. It ends where the bands end, and reads
/// nothing beyond that.
///
/// Data goes from the stream below to whoever reads, without stopping here.
public final class BandReader extends InputStream {
    private static final int HEAD = 4;

    /// What comes beside the data.
    public interface Beside {
        /// Words for a person; may be a part of a line.
        void progress(String words) throws IOException;

        /// The other side gives up.
        ///
        /// @throws IOException always: there is no more data
        void error(String words) throws IOException;
    }

    private final InputStream in;
    private final Beside beside;
    private final byte[] head = new byte[HEAD];
    private int left;
    private boolean hasEnded;

    public BandReader(InputStream in, Beside beside) {
        this.in = in;
        this.beside = beside;
    }

    @Override
    public int read() throws IOException {
        var one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    /// @throws BrokenPacket if this is not how bands look, or they break off
    @Override
    public int read(byte[] bytes, int from, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        while (left == 0 && !hasEnded) {
            open();
        }
        if (hasEnded) {
            return -1;
        }
        int got = in.read(bytes, from, Math.min(length, left));
        if (got < 0) {
            throw new BrokenPacket("the bands break off within a pkt-line");
        }
        left -= got;
        return got;
    }

    private void open() throws IOException {
        if (in.readNBytes(head, 0, HEAD) < HEAD) {
            throw new BrokenPacket("the bands break off before their end");
        }
        int length = PacketReader.length(head);
        if (length == 0) {
            hasEnded = true;
        } else if (length <= HEAD || length > PacketReader.PACKET_MAX) {
            throw new BrokenPacket("no pkt-line of a band has the length " + length);
        } else {
            open(in.read(), length - HEAD - 1);
        }
    }

    private void open(int band, int length) throws IOException {
        switch (band) {
            case SideBand.DATA -> left = length;
            case SideBand.PROGRESS -> beside.progress(words(length));
            case SideBand.ERROR -> {
                beside.error(words(length));
                throw new BrokenPacket("the other side gave up");
            }
            default -> throw new BrokenPacket("there is no band " + band);
        }
    }

    private String words(int length) throws IOException {
        var words = in.readNBytes(length);
        if (words.length < length) {
            throw new BrokenPacket("the bands break off within a pkt-line");
        }
        return new String(words, StandardCharsets.UTF_8);
    }
}
