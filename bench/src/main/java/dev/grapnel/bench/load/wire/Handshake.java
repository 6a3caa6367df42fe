package dev.grapnel.bench.load.wire;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Locale;
import java.util.Optional;

/// The words before the first frame (RFC 6455, section 4; RFC 7692).
final class Handshake {
    /// Longer answers are none of a WebSocket server.
    static final int BYTES_MAX = 16 << 10;

    private static final String GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
    private static final String DEFLATE = "permessage-deflate";
    private static final String SAMPLE_KEY = "Z3JhcG5lbCBsb2FkIHRvbw==";

    private Handshake() {}

    /// What a client says. The key may be the same for all: it only proves that a WebSocket server answers.
    static byte[] request(RelayUrl url, boolean compressed) {
        return ascii("GET " + url.path() + " HTTP/1.1\r\nHost: " + url.authority()
                + "\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: "
                + SAMPLE_KEY + "\r\n" + (compressed ? "Sec-WebSocket-Extensions: " + DEFLATE + "\r\n" : "") + "\r\n");
    }

    /// What a server says to a client's request.
    static byte[] response(String request) throws IOException {
        var key = header(request, "sec-websocket-key").orElseThrow(() -> new IOException("no WebSocket request"));
        return ascii("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                + "Sec-WebSocket-Accept: " + accept(key) + "\r\n\r\n");
    }

    /// Whether a client asks for a document instead of a conversation.
    static boolean asksForDocument(String request) {
        return header(request, "upgrade").isEmpty();
    }

    /// A document, after which the connection ends.
    static byte[] document(String json) {
        return ascii("HTTP/1.1 200 OK\r\nContent-Type: application/nostr+json\r\nConnection: close\r\nContent-Length: "
                + json.length() + "\r\n\r\n" + json);
    }

    /// Reads the server's answer.
    ///
    /// @throws IOException if it is not the one we need
    static Agreement agreement(String response, boolean compressed) throws IOException {
        var status = response.lines().findFirst().orElse("");
        if (!status.startsWith("HTTP/1.1 101")) {
            throw new IOException("the relay answers " + status);
        }
        if (!header(response, "sec-websocket-accept").orElse("").equals(accept(SAMPLE_KEY))) {
            throw new IOException("the relay's Sec-WebSocket-Accept is wrong");
        }
        var extension = header(response, "sec-websocket-extensions").orElse("").toLowerCase(Locale.ROOT);
        boolean agreed = extension.startsWith(DEFLATE);
        if (compressed && !agreed) {
            throw new IOException("the relay does not compress");
        }
        return new Agreement(agreed, extension.contains("server_no_context_takeover"));
    }

    /// What was agreed on: whether messages come compressed, and if each is so by itself.
    record Agreement(boolean compressed, boolean forgets) {}

    /// The end of the head, or -1 if it is not all there.
    static int headEnd(byte[] in, int from, int to) {
        for (int at = from; at <= to - 4; at++) {
            if (in[at] == '\r' && in[at + 1] == '\n' && in[at + 2] == '\r' && in[at + 3] == '\n') {
                return at + 4;
            }
        }
        return -1;
    }

    private static Optional<String> header(String head, String name) {
        return head.lines()
                .filter(line -> line.toLowerCase(Locale.ROOT).startsWith(name + ":"))
                .map(line -> line.substring(name.length() + 1).strip())
                .findFirst();
    }

    static String accept(String key) {
        try {
            return Base64.getEncoder()
                    .encodeToString(MessageDigest.getInstance("SHA-1").digest(ascii(key + GUID)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-1", e);
        }
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
