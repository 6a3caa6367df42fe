package dev.grapnel.git.wire;

import dev.grapnel.nostr.Bytes;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/// Reads packets from a stream, and nothing beyond them: what follows the last packet read is still in the
/// stream.
public final class PacketReader {
    /// Most bytes of a packet, its length included.
    public static final int PACKET_MAX = 65_520;

    private static final int HEAD = 4;

    private final InputStream in;
    private final byte[] head = new byte[HEAD];

    public PacketReader(InputStream in) {
        this.in = in;
    }

    /// The next packet.
    ///
    /// @throws BrokenPacket if there is none, but something else
    public Packet next() throws IOException {
        int got = in.readNBytes(head, 0, HEAD);
        if (got == 0) {
            return new Packet.End();
        }
        if (got < HEAD) {
            throw new BrokenPacket("the stream ends within the length of a pkt-line");
        }
        int length = length(head);
        return switch (length) {
            case 0 -> new Packet.Flush();
            case 1 -> new Packet.Delimiter();
            case 2 -> new Packet.ResponseEnd();
            default -> line(length);
        };
    }

    private Packet line(int length) throws IOException {
        if (length < HEAD || length > PACKET_MAX) {
            throw new BrokenPacket("no pkt-line has the length " + length);
        }
        var payload = in.readNBytes(length - HEAD);
        if (payload.length < length - HEAD) {
            throw new BrokenPacket("the stream ends within a pkt-line");
        }
        return new Packet.Line(Bytes.wrap(payload));
    }

    /// Text that came as bytes and was read as one character for each.
    public static String utf8(String latin) {
        return new String(latin.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
    }

    /// What the four digits say before a packet.
    static int length(byte[] head) throws BrokenPacket {
        int length = 0;
        for (byte digit : head) {
            int value = Character.digit(digit, 16);
            if (digit < 0 || value < 0) {
                throw new BrokenPacket("a pkt-line begins with four hex digits");
            }
            length = length << 4 | value;
        }
        return length;
    }
}
