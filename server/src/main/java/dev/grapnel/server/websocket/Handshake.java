package dev.grapnel.server.websocket;

import dev.grapnel.websocket.HandshakeKey;
import java.util.List;
import java.util.Optional;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;

/// Decides whether a request becomes a WebSocket (relay 6.1).
public final class Handshake {
    private Handshake() {}

    /// The answer.
    public sealed interface Outcome {
        /// It does.
        ///
        /// @param accept value of `Sec-WebSocket-Accept`
        /// @param extension value of `Sec-WebSocket-Extensions`, if compression was agreed on
        record Accept(String accept, Optional<String> extension) implements Outcome {}

        /// It cannot.
        ///
        /// @param status 400, or 426 for another version
        record Refuse(int status, String reason) implements Outcome {}
    }

    /// Whether a request asks for a WebSocket, rightly or not.
    public static boolean isWanted(HttpFields headers) {
        return hasToken(headers, HttpHeader.UPGRADE, "websocket");
    }

    /// Decides.
    public static Outcome judge(String method, boolean isHttp11, HttpFields headers) {
        if (!isHttp11) {
            return refuse("a WebSocket begins with HTTP/1.1");
        }
        if (!method.equals("GET")) {
            return refuse("a WebSocket begins with GET");
        }
        if (headers.contains(HttpHeader.TRANSFER_ENCODING) || headers.getLongField(HttpHeader.CONTENT_LENGTH) > 0) {
            return refuse("a WebSocket begins with a request without a body");
        }
        if (!isWanted(headers) || !hasToken(headers, HttpHeader.CONNECTION, "upgrade")) {
            return refuse("a WebSocket needs the headers Upgrade: websocket and Connection: Upgrade");
        }
        var version = headers.get(HttpHeader.SEC_WEBSOCKET_VERSION);
        if (version == null || !version.strip().equals("13")) {
            return new Outcome.Refuse(426, "only version 13 of WebSocket is spoken here");
        }
        var keys = headers.getValuesList(HttpHeader.SEC_WEBSOCKET_KEY);
        if (keys.size() != 1 || !HandshakeKey.isKey(keys.getFirst().strip())) {
            return refuse("Sec-WebSocket-Key must be 16 bytes in Base64");
        }
        return new Outcome.Accept(
                HandshakeKey.accept(keys.getFirst().strip()),
                DeflateOffer.findAnswer(headers.getValuesList(HttpHeader.SEC_WEBSOCKET_EXTENSIONS)));
    }

    private static Outcome refuse(String reason) {
        return new Outcome.Refuse(400, reason);
    }

    private static boolean hasToken(HttpFields headers, HttpHeader name, String token) {
        return headers.getValuesList(name).stream()
                .flatMap(value -> List.of(value.split(",", -1)).stream())
                .anyMatch(value -> value.strip().equalsIgnoreCase(token));
    }
}
