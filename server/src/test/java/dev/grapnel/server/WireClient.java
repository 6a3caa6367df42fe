package dev.grapnel.server;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/// A WebSocket client that writes any bytes and sees every frame, so that a server can be shown what no
/// well-behaved client sends.
public final class WireClient implements AutoCloseable {
    public static final int CONTINUATION = 0;
    public static final int TEXT = 1;
    public static final int BINARY = 2;
    public static final int CLOSE = 8;
    public static final int PING = 9;
    public static final int PONG = 10;
    private static final int PATIENCE_MILLIS = 20_000;

    private final Socket socket;
    private final DataInputStream in;
    private final OutputStream out;
    private final String status;
    private final Map<String, String> headers;

    /// One frame as it came.
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record Frame(boolean fin, int reserved, int opcode, byte[] payload) {
        public String text() {
            return new String(payload, StandardCharsets.UTF_8);
        }

        public int closeCode() {
            return payload.length < 2 ? 1005 : ((payload[0] & 0xff) << 8) | (payload[1] & 0xff);
        }

        public String closeReason() {
            return new String(payload, 2, payload.length - 2, StandardCharsets.UTF_8);
        }
    }

    private WireClient(Socket socket, String request, byte... rest) throws IOException {
        this.socket = socket;
        this.in = new DataInputStream(new BufferedInputStream(socket.getInputStream(), 1 << 16));
        this.out = socket.getOutputStream();
        var first = new ByteArrayOutputStream();
        first.writeBytes(request.getBytes(StandardCharsets.UTF_8));
        first.writeBytes(rest);
        out.write(first.toByteArray());
        out.flush();
        this.status = readLine(in);
        this.headers = readHeaders(in);
    }

    public static Socket connect(int port) throws IOException {
        var socket = new Socket();
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(PATIENCE_MILLIS);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), PATIENCE_MILLIS);
        return socket;
    }

    /// Opens a WebSocket.
    ///
    /// @param extraHeaders lines that end with a line break
    public static WireClient open(int port, String extraHeaders) throws IOException {
        return new WireClient(connect(port), upgrade("/", extraHeaders));
    }

    public static WireClient open(int port) throws IOException {
        return open(port, "");
    }

    /// Sends any request and reads the head of the answer.
    public static WireClient request(int port, String request) throws IOException {
        return new WireClient(connect(port), request);
    }

    /// A WebSocket on a socket of the caller's, with bytes that follow the request at once.
    public static WireClient on(Socket socket, byte... rest) throws IOException {
        return new WireClient(socket, upgrade("/", ""), rest);
    }

    public static String upgrade(String path, String extraHeaders) {
        return "GET " + path + " HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n" + extraHeaders
                + "\r\n";
    }

    public int status() {
        return Integer.parseInt(status.substring(9, 12));
    }

    /// By name in lower case.
    public Map<String, String> headers() {
        return headers;
    }

    public Socket socket() {
        return socket;
    }

    /// The rest of an answer that says how long it is.
    public String body() throws IOException {
        int length = Integer.parseInt(headers.getOrDefault("content-length", "0"));
        return new String(in.readNBytes(length), StandardCharsets.UTF_8);
    }

    public void send(String text) throws IOException {
        write(frame(true, 0, TEXT, true, text.getBytes(StandardCharsets.UTF_8)));
    }

    public void send(int opcode, byte... payload) throws IOException {
        write(frame(true, 0, opcode, true, payload));
    }

    /// Writes bytes as they are.
    public void write(byte... bytes) throws IOException {
        out.write(bytes);
        out.flush();
    }

    /// A frame, right or wrong.
    ///
    /// @param reserved 4 for the bit of compression
    public static byte[] frame(boolean fin, int reserved, int opcode, boolean masked, byte... payload) {
        var out = new ByteArrayOutputStream();
        out.write((fin ? 0x80 : 0) | reserved << 4 | opcode);
        int mask = masked ? 0x80 : 0;
        if (payload.length < 126) {
            out.write(mask | payload.length);
        } else if (payload.length <= 0xffff) {
            out.write(mask | 126);
            out.write(payload.length >> 8);
            out.write(payload.length);
        } else {
            out.write(mask | 127);
            for (int shift = 56; shift >= 0; shift -= 8) {
                out.write((int) ((long) payload.length >> shift));
            }
        }
        byte[] key = {0x12, (byte) 0x93, 0x5a, (byte) 0xc7};
        if (masked) {
            out.writeBytes(key);
        }
        for (int i = 0; i < payload.length; i++) {
            out.write(masked ? payload[i] ^ key[i & 3] : payload[i]);
        }
        return out.toByteArray();
    }

    /// The next frame.
    ///
    /// @throws EOFException if the server has closed the connection
    public Frame frame() throws IOException {
        int first = in.readUnsignedByte();
        int second = in.readUnsignedByte();
        long length = second & 0x7f;
        if (length == 126) {
            length = in.readUnsignedShort();
        } else if (length == 127) {
            length = in.readLong();
        }
        var frame = new Frame((first & 0x80) != 0, first >> 4 & 7, first & 15, in.readNBytes(Math.toIntExact(length)));
        if (frame.opcode() == TEXT) {
            WordWatch.watch(text(frame));
        }
        return frame;
    }

    /// The next text message, inflated if need be; control frames before it are left out.
    public String receive() throws IOException {
        while (true) {
            var frame = frame();
            if (frame.opcode() == TEXT) {
                return text(frame);
            }
            if (frame.opcode() == CLOSE) {
                throw new EOFException("closed with " + frame.closeCode() + " " + Arrays.toString(frame.payload()));
            }
        }
    }

    /// The Close the server sends; text before it is left out.
    public Frame receiveClose() throws IOException {
        while (true) {
            var frame = frame();
            if (frame.opcode() == CLOSE) {
                return frame;
            }
        }
    }

    /// Whether the server has closed the connection; waits for it.
    public boolean isEnd() throws IOException {
        try {
            return in.read() < 0;
        } catch (SocketException _) {
            return true; // reset, which is an end as well
        }
    }

    private static String text(Frame frame) {
        return frame.reserved() == 4 ? inflate(frame.payload()) : frame.text();
    }

    private static String inflate(byte[] compressed) {
        var inflater = new Inflater(true);
        try {
            var input = Arrays.copyOf(compressed, compressed.length + 4);
            input[compressed.length + 2] = (byte) 0xff;
            input[compressed.length + 3] = (byte) 0xff;
            inflater.setInput(input);
            var out = new ByteArrayOutputStream();
            var buffer = new byte[1 << 16];
            for (int count = inflater.inflate(buffer); count > 0; count = inflater.inflate(buffer)) {
                out.write(buffer, 0, count);
            }
            return out.toString(StandardCharsets.UTF_8);
        } catch (DataFormatException e) {
            throw new IllegalStateException(e);
        } finally {
            inflater.end();
        }
    }

    private static String readLine(InputStream in) throws IOException {
        var line = new ByteArrayOutputStream();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                throw new EOFException("the answer ended after: " + line);
            }
            if (c != '\r') {
                line.write(c);
            }
        }
        return line.toString(StandardCharsets.UTF_8);
    }

    private static Map<String, String> readHeaders(InputStream in) throws IOException {
        var headers = new LinkedHashMap<String, String>();
        for (var line = readLine(in); !line.isEmpty(); line = readLine(in)) {
            int colon = line.indexOf(':');
            headers.put(
                    line.substring(0, colon).toLowerCase(Locale.ROOT),
                    line.substring(colon + 1).strip());
        }
        return headers;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
