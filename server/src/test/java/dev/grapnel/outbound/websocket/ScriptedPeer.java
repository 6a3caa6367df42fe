package dev.grapnel.outbound.websocket;

import dev.grapnel.outbound.RawServer;
import dev.grapnel.websocket.FrameHead;
import dev.grapnel.websocket.FrameMemory;
import dev.grapnel.websocket.FrameReader;
import dev.grapnel.websocket.HandshakeKey;
import dev.grapnel.websocket.Incoming;
import dev.grapnel.websocket.Inflation;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/// The server's side of a WebSocket, down to the bytes.
public final class ScriptedPeer {
    private static final Pattern KEY = Pattern.compile("Sec-WebSocket-Key: (\\S+)");

    private final Socket socket;
    private final ByteBuffer bytes = ByteBuffer.allocate(1 << 16).flip();
    private final FrameReader reader =
            new FrameReader(FrameReader.Sender.CLIENT, 1 << 20, false, new Inflation(1), FrameMemory.PLENTY);
    private String head = "";

    private ScriptedPeer(Socket socket) {
        this.socket = socket;
    }

    /// What is done after the handshake.
    @FunctionalInterface
    public interface Talk {
        void talk(ScriptedPeer peer) throws Exception;
    }

    /// Answers the handshake as it should be, then talks.
    public static RawServer.Script talking(Talk talk) {
        return talking("", talk);
    }

    /// The same with more header fields.
    public static RawServer.Script talking(String fields, Talk talk) {
        return socket -> {
            var peer = new ScriptedPeer(socket);
            peer.head = RawServer.readHead(socket.getInputStream());
            if (key(peer.head).isEmpty()) {
                peer.write("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"); // no page and no document
                return;
            }
            peer.write(("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                            + "Sec-WebSocket-Accept: " + HandshakeKey.accept(key(peer.head)) + "\r\n" + fields + "\r\n")
                    .getBytes(StandardCharsets.ISO_8859_1));
            talk.talk(peer);
        };
    }

    static String key(String head) {
        var key = KEY.matcher(head);
        return key.find() ? key.group(1) : "";
    }

    public String head() {
        return head;
    }

    public void write(byte... some) throws IOException {
        socket.getOutputStream().write(some);
        socket.getOutputStream().flush();
    }

    public void write(String text) throws IOException {
        write(text.getBytes(StandardCharsets.UTF_8));
    }

    /// A frame, not masked.
    public void frame(int first, byte[] payload) throws IOException {
        write(FrameHead.write(first, payload.length, 0));
        write(payload);
    }

    public void frame(int first, String payload) throws IOException {
        frame(first, payload.getBytes(StandardCharsets.UTF_8));
    }

    /// A whole text message.
    public void text(String payload) throws IOException {
        frame(FrameHead.FINAL | FrameHead.TEXT, payload);
    }

    /// What the client says next.
    public Incoming next() throws IOException {
        while (true) {
            var incoming = reader.next(bytes);
            if (!(incoming instanceof Incoming.Incomplete)) {
                return incoming;
            }
            int count = socket.getInputStream().read(bytes.array());
            if (count < 0) {
                throw new EOFException();
            }
            bytes.clear().limit(count);
        }
    }

    /// Waits until the client has gone.
    public void awaitEnd() throws IOException {
        while (socket.getInputStream().read() >= 0) {
            // what it still says does not matter
        }
    }
}
