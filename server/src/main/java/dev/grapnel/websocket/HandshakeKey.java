package dev.grapnel.websocket;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/// What both sides say to show that they mean WebSocket (RFC 6455, 4.2.2).
public final class HandshakeKey {
    /// Bytes of a key.
    public static final int BYTES = 16;

    private static final String GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

    private HandshakeKey() {}

    /// Whether this is a key.
    public static boolean isKey(String key) {
        try {
            return Base64.getDecoder().decode(key).length == BYTES;
        } catch (IllegalArgumentException _) {
            return false; // no Base64, so no key
        }
    }

    /// The answer to a key.
    public static String accept(String key) {
        try {
            var hash = MessageDigest.getInstance("SHA-1").digest((key + GUID).getBytes(StandardCharsets.US_ASCII));
            return Base64.getEncoder().encodeToString(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-1", e);
        }
    }
}
