package dev.grapnel.outbound;

import dev.grapnel.nostr.url.Host;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/// Asks a SOCKS5 proxy for a connection to a name (RFC 1928), without authentication.
final class Socks5 {
    private static final byte VERSION = 5;
    private static final byte NO_AUTHENTICATION = 0;
    private static final byte CONNECT = 1;
    private static final byte IPV4 = 1;
    private static final byte NAME = 3;
    private static final byte IPV6 = 4;

    private Socks5() {}

    /// Afterwards the socket leads to the host.
    ///
    /// @throws OutboundException if the proxy makes no connection
    static void connect(Socket proxy, Host host, int port) throws IOException {
        var in = new DataInputStream(proxy.getInputStream());
        var out = proxy.getOutputStream();
        out.write(new byte[] {VERSION, 1, NO_AUTHENTICATION});
        if (in.readByte() != VERSION || in.readByte() != NO_AUTHENTICATION) {
            throw new OutboundException(new Failure.ConnectFailed());
        }
        var name = host.text().getBytes(StandardCharsets.US_ASCII);
        out.write(ByteBuffer.allocate(7 + name.length)
                .put(VERSION)
                .put(CONNECT)
                .put((byte) 0)
                .put(NAME)
                .put((byte) name.length)
                .put(name)
                .putShort((short) port)
                .array());
        boolean accepted = in.readByte() == VERSION && in.readByte() == 0;
        if (!accepted) {
            throw new OutboundException(new Failure.ConnectFailed());
        }
        in.readByte();
        skipAddress(in);
    }

    private static void skipAddress(DataInputStream in) throws IOException {
        int length = switch (in.readByte()) {
            case IPV4 -> 4;
            case IPV6 -> 16;
            case NAME -> in.readUnsignedByte();
            default -> throw new OutboundException(new Failure.ConnectFailed());
        };
        in.readFully(new byte[length + Short.BYTES]);
    }
}
