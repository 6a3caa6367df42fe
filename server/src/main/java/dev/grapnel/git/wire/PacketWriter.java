package dev.grapnel.git.wire;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/// Writes packets to a stream.
public final class PacketWriter {
    private static final int HEAD = 4;
    private static final byte[] FLUSH = ascii("0000");
    private static final byte[] DELIMITER = ascii("0001");
    private static final byte[] DIGITS = ascii("0123456789abcdef");

    private final OutputStream out;
    private final byte[] head = new byte[HEAD];

    public PacketWriter(OutputStream out) {
        this.out = out;
    }

    /// A line of text; the caller ends it with a line feed where the protocol has one.
    public void line(String text) throws IOException {
        var bytes = text.getBytes(StandardCharsets.UTF_8);
        packet(bytes, 0, bytes.length);
    }

    /// A packet with these bytes.
    public void packet(byte[] payload, int from, int length) throws IOException {
        head(length);
        out.write(payload, from, length);
    }

    /// A packet of a band: its number is the first byte.
    void band(int band, byte[] payload, int from, int length) throws IOException {
        head(length + 1);
        out.write(band);
        out.write(payload, from, length);
    }

    private void head(int payload) throws IOException {
        int length = payload + HEAD;
        if (length > PacketReader.PACKET_MAX) {
            throw new IllegalArgumentException("a packet of " + payload + " bytes is too long");
        }
        for (int i = HEAD - 1; i >= 0; i--) {
            head[i] = DIGITS[length & 0xf];
            length >>= 4;
        }
        out.write(head);
    }

    /// The end of a list.
    public void flush() throws IOException {
        out.write(FLUSH);
    }

    /// Between parts.
    public void delimiter() throws IOException {
        out.write(DELIMITER);
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
