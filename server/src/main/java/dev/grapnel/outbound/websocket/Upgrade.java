package dev.grapnel.outbound.websocket;

import dev.grapnel.outbound.OutboundException;
import dev.grapnel.outbound.RemoteUrl;
import dev.grapnel.outbound.http.Head;
import dev.grapnel.outbound.http.Header;
import dev.grapnel.outbound.http.Request;
import dev.grapnel.outbound.http.RequestHead;
import dev.grapnel.websocket.Extension;
import dev.grapnel.websocket.HandshakeKey;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/// How a connection becomes a WebSocket (RFC 6455, 4.1), as a client sees it.
///
/// @param key by chance
record Upgrade(String key) {
    private static final String OFFER = Extension.DEFLATE + "; " + Extension.SERVER_FORGETS;

    byte[] request(RemoteUrl url, String userAgent, List<Header> headers) {
        var head = new RequestHead(Request.Method.GET, url.target(), url, userAgent)
                .with("Upgrade", "websocket")
                .with("Connection", "Upgrade")
                .with("Sec-WebSocket-Key", key)
                .with("Sec-WebSocket-Version", "13")
                .with("Sec-WebSocket-Extensions", OFFER);
        headers.forEach(header -> head.with(header.name(), header.value()));
        return head.toBytes();
    }

    /// Judges an answer that changes the protocol.
    ///
    /// @return whether messages may come compressed
    /// @throws OutboundException if it is no answer to our request
    boolean judge(Head head) throws OutboundException {
        if (!hasToken(head, "Upgrade", "websocket") || !hasToken(head, "Connection", "upgrade")) {
            throw WebSocketClient.broken("it changed to another protocol than WebSocket");
        }
        if (!head.find("Sec-WebSocket-Accept").equals(Optional.of(HandshakeKey.accept(key)))) {
            throw WebSocketClient.broken("it answered another key than ours");
        }
        if (head.find("Sec-WebSocket-Protocol").isPresent()) {
            throw WebSocketClient.broken("it chose a protocol that was not offered");
        }
        var extension = head.find("Sec-WebSocket-Extensions");
        if (extension.isPresent() && !isOurs(extension.get())) {
            throw WebSocketClient.broken("it chose an extension that was not offered");
        }
        return extension.isPresent();
    }

    /// Whether the server keeps to the offer: without its context between messages, and nothing that binds us. We
    /// never compress, so what it wants of us in that case is met.
    private static boolean isOurs(String text) {
        return Extension.parse(text)
                .filter(answer -> answer.name().equals(Extension.DEFLATE)
                        && answer.parameters().containsKey(Extension.SERVER_FORGETS)
                        && answer.parameters().entrySet().stream()
                                .allMatch(parameter -> isMet(parameter.getKey(), parameter.getValue())))
                .isPresent();
    }

    private static boolean isMet(String name, Optional<String> value) {
        return switch (name) {
            case Extension.SERVER_FORGETS, Extension.CLIENT_FORGETS -> value.isEmpty();
            case Extension.SERVER_WINDOW -> value.filter(Extension::isWindow).isPresent();
            default -> false;
        };
    }

    private static boolean hasToken(Head head, String name, String token) {
        return values(head, name)
                .flatMap(value -> Arrays.stream(value.split(",", -1)))
                .anyMatch(value -> value.strip().toLowerCase(Locale.ROOT).equals(token));
    }

    Optional<String> findFirst(Head head, String name) {
        return values(head, name).findFirst();
    }

    private static Stream<String> values(Head head, String name) {
        return head.headers().stream()
                .filter(header -> header.name().equalsIgnoreCase(name))
                .map(Header::value);
    }
}
