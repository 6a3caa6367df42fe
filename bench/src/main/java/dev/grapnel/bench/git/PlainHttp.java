package dev.grapnel.bench.git;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/// One connection that asks and reads what comes: all of a client that costs time, and no more, because clients and
/// servers share the processors here.
public final class PlainHttp implements AutoCloseable {
    private static final int BUFFER = 1 << 16;
    private static final int LINE_MAX = 8192;

    private final Socket socket;
    private final InputStream in;
    private final byte[] body = new byte[BUFFER];

    private PlainHttp(Socket socket) throws IOException {
        this.socket = socket;
        this.in = new BufferedInputStream(socket.getInputStream(), BUFFER);
    }

    /// Connects to the port of a URL on this machine.
    public static PlainHttp connect(URI url) throws IOException {
        var socket = new Socket(InetAddress.getLoopbackAddress(), url.getPort());
        socket.setTcpNoDelay(true);
        return new PlainHttp(socket);
    }

    /// A request as it goes over the wire. Headers that no server here looks at are left out.
    public static byte[] request(String method, URI url, String headers, byte[] body) {
        var target = url.getRawQuery() == null ? url.getRawPath() : url.getRawPath() + "?" + url.getRawQuery();
        var length = method.equals("POST") ? "Content-Length: " + body.length + "\r\n" : "";
        var head = (method + " " + target + " HTTP/1.1\r\nHost: " + url.getAuthority()
                        + "\r\nUser-Agent: git/2.39.5\r\nAccept: */*\r\nAccept-Encoding: deflate, gzip\r\n" + headers
                        + length + "\r\n")
                .getBytes(StandardCharsets.US_ASCII);
        var whole = new byte[head.length + body.length];
        System.arraycopy(head, 0, whole, 0, head.length);
        System.arraycopy(body, 0, whole, head.length, body.length);
        return whole;
    }

    /// Asks, and reads the answer to its end.
    ///
    /// @return the beginning of its body, a character for each byte
    /// @throws IOException also if the answer is no success
    public String ask(byte[] request) throws IOException {
        socket.getOutputStream().write(request);
        var status = readLine();
        long length = -1;
        boolean chunked = false;
        for (var line = readLine(); !line.isEmpty(); line = readLine()) {
            var lower = line.toLowerCase(Locale.ROOT);
            if (lower.startsWith("content-length:")) {
                length = Long.parseLong(lower.substring(15).strip());
            } else if (lower.startsWith("transfer-encoding:")) {
                chunked = lower.endsWith("chunked");
            }
        }
        if (!status.startsWith("HTTP/1.1 200") || (length < 0 && !chunked)) {
            throw new IOException("it answered: " + status);
        }
        long total = chunked ? readChunks() : readBytes(length, 0);
        return new String(body, 0, (int) Math.min(total, BUFFER), StandardCharsets.ISO_8859_1);
    }

    private long readChunks() throws IOException {
        long total = 0;
        for (long length = chunk(); length > 0; length = chunk()) {
            total += readBytes(length, total);
            readLine();
        }
        readLine();
        return total;
    }

    private long chunk() throws IOException {
        return Long.parseLong(readLine(), 16);
    }

    /// Only the beginning is kept.
    private long readBytes(long length, long before) throws IOException {
        for (long left = length; left > 0; ) {
            int kept = (int) Math.min(before + length - left, BUFFER);
            int got = kept < BUFFER ? in.read(body, kept, (int) Math.min(left, BUFFER - kept)) : (int) in.skip(left);
            if (got <= 0) {
                throw new EOFException("the answer ends early");
            }
            left -= got;
        }
        return length;
    }

    private String readLine() throws IOException {
        var line = new StringBuilder(64);
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0 || line.length() > LINE_MAX) {
                throw new EOFException("the answer ends early");
            }
            if (c != '\r') {
                line.append((char) c);
            }
        }
        return line.toString();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
