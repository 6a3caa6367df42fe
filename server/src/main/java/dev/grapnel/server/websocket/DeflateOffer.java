package dev.grapnel.server.websocket;

import dev.grapnel.websocket.Extension;
import java.util.List;
import java.util.Optional;

/// Chooses among a client's offers of compression (RFC 7692, 7.1). Neither side keeps its context between
/// messages: it would cost hundreds of kilobytes a connection.
final class DeflateOffer {
    private static final String ANSWER =
            String.join("; ", Extension.DEFLATE, Extension.SERVER_FORGETS, Extension.CLIENT_FORGETS);
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
                .flatMap(offer -> Extension.parse(offer).stream())
                .filter(DeflateOffer::isMet)
                .findFirst()
                .map(offer -> offer.parameters().containsKey(Extension.SERVER_WINDOW)
                        ? ANSWER + "; " + Extension.SERVER_WINDOW + "=15"
                        : ANSWER);
    }

    private static boolean isMet(Extension offer) {
        return offer.name().equals(Extension.DEFLATE)
                && offer.parameters().entrySet().stream()
                        .allMatch(parameter -> isMet(parameter.getKey(), parameter.getValue()));
    }

    private static boolean isMet(String name, Optional<String> value) {
        return switch (name) {
            case Extension.SERVER_FORGETS, Extension.CLIENT_FORGETS -> value.isEmpty();
            // The deflater's window cannot be made smaller.
            case Extension.SERVER_WINDOW -> value.equals(Optional.of("15"));
            case Extension.CLIENT_WINDOW -> value.isEmpty() || Extension.isWindow(value.get());
            default -> false;
        };
    }
}
