package dev.grapnel.websocket;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// One extension as it stands in `Sec-WebSocket-Extensions` (RFC 6455, 9.1).
///
/// @param name in lower case, like those of its parameters
/// @param parameters with their values, if they have some
public record Extension(String name, Map<String, Optional<String>> parameters) {
    /// Compression of messages (RFC 7692).
    public static final String DEFLATE = "permessage-deflate";

    /// Neither side keeps its context between messages: it would cost hundreds of kilobytes a connection.
    public static final String SERVER_FORGETS = "server_no_context_takeover";

    public static final String CLIENT_FORGETS = "client_no_context_takeover";
    public static final String SERVER_WINDOW = "server_max_window_bits";
    public static final String CLIENT_WINDOW = "client_max_window_bits";

    public Extension {
        parameters = Map.copyOf(parameters);
    }

    /// Reads one; empty if a parameter comes twice.
    public static Optional<Extension> parse(String text) {
        var parts = text.split(";", -1);
        var parameters = new LinkedHashMap<String, Optional<String>>();
        for (int i = 1; i < parts.length; i++) {
            var pair = parts[i].split("=", 2);
            var value = pair.length == 1 ? Optional.<String>empty() : Optional.of(unquote(pair[1].strip()));
            if (parameters.put(word(pair[0]), value) != null) {
                return Optional.empty();
            }
        }
        return Optional.of(new Extension(word(parts[0]), parameters));
    }

    /// Whether a value is a size of a window.
    public static boolean isWindow(String value) {
        return value.matches("[89]|1[0-5]");
    }

    private static String word(String text) {
        return text.strip().toLowerCase(Locale.ROOT);
    }

    private static String unquote(String value) {
        return value.length() >= 2 && value.startsWith("\"") && value.endsWith("\"")
                ? value.substring(1, value.length() - 1)
                : value;
    }
}
