package dev.grapnel.server.web;

import java.util.List;

/// What a request asks for, as far as it matters to who answers.
///
/// @param method as sent
/// @param path as sent, still escaped, without query
/// @param wantsWebSocket whether `Upgrade` names it
/// @param accept all `Accept` headers in one list
record Ask(String method, String path, boolean wantsWebSocket, String accept) {
    private static final String INFORMATION = "application/nostr+json";

    static Ask of(String method, String path, List<String> upgrade, List<String> accept) {
        boolean wantsWebSocket = upgrade.stream()
                .anyMatch(header -> List.of(header.split(",", -1)).stream()
                        .anyMatch(token -> token.strip().equalsIgnoreCase("websocket")));
        return new Ask(method, path, wantsWebSocket, String.join(",", accept));
    }

    /// Whether it is answered by reading: HEAD asks what GET would say.
    boolean isRead() {
        return method.equals("GET") || method.equals("HEAD");
    }

    /// A handshake is a GET (RFC 6455).
    boolean isHandshake() {
        return method.equals("GET") && wantsWebSocket;
    }

    /// Whether the relay's information document is asked for (NIP-11).
    boolean wantsInformation() {
        return MediaRanges.name(accept, INFORMATION);
    }

    /// Whether the answer is for a program.
    boolean wantsJson() {
        return MediaRanges.name(accept, "application/json");
    }
}
