package dev.grapnel.server.websocket;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Chooses among a client's offers of compression (RFC 7692, 7.1). Neither side keeps its context between
/// messages: it would cost hundreds of kilobytes a connection.
final class DeflateOffer {
    private static final String NAME = "permessage-deflate";
    private static final String ANSWER = NAME + "; server_no_context_takeover; client_no_context_takeover";
    /// Offers that are looked at; an honest client makes one or two.
    private static final int OFFERS_MAX = 16;

    private DeflateOffer() {}

    /// The answer to the first offer that can be met.
    ///
    /// @param headers the values of `Sec-WebSocket-Extensions`
    static Optional<String> findAnswer(List<String> headers) {
        return headers.stream()
                .flatMap(header -> List.of(header.split(",", OFFERS_MAX + 1)).stream())
                .limit(OFFERS_MAX)
                .flatMap(offer -> answer(offer).stream())
                .findFirst();
    }

    private static Optional<String> answer(String offer) {
        var parts = offer.split(";", -1);
        if (!parts[0].strip().equalsIgnoreCase(NAME)) {
            return Optional.empty();
        }
        var seen = new HashSet<String>();
        boolean namesWindow = false;
        for (int i = 1; i < parts.length; i++) {
            var pair = parts[i].split("=", 2);
            var name = pair[0].strip().toLowerCase(Locale.ROOT);
            var value = pair.length == 1 ? "" : unquote(pair[1].strip());
            if (!seen.add(name) || !isMet(name, value, pair.length == 1)) {
                return Optional.empty();
            }
            namesWindow |= name.equals("server_max_window_bits");
        }
        return Optional.of(namesWindow ? ANSWER + "; server_max_window_bits=15" : ANSWER);
    }

    private static boolean isMet(String name, String value, boolean isBare) {
        return switch (name) {
            case "server_no_context_takeover", "client_no_context_takeover" -> isBare;
            // The deflater's window cannot be made smaller.
            case "server_max_window_bits" -> value.equals("15");
            case "client_max_window_bits" -> isBare || value.matches("[89]|1[0-5]");
            default -> false;
        };
    }

    private static String unquote(String value) {
        return value.length() >= 2 && value.startsWith("\"") && value.endsWith("\"")
                ? value.substring(1, value.length() - 1)
                : value;
    }
}
