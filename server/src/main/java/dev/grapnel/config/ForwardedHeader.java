package dev.grapnel.config;

import dev.grapnel.nostr.Parsed;
import java.util.Arrays;

/// Where a trusted proxy writes who the client is (relay 6.7).
public enum ForwardedHeader {
    /// The first of the others that is there.
    AUTO("auto"),
    X_FORWARDED_FOR("X-Forwarded-For"),
    FORWARDED("Forwarded"),
    X_REAL_IP("X-Real-IP");

    static final ValueType<ForwardedHeader> TYPE = ValueType.of(
            "<header>",
            "auto, X-Forwarded-For, Forwarded or X-Real-IP",
            text -> Arrays.stream(values())
                    .filter(header -> header.text.equalsIgnoreCase(text))
                    .findFirst()
                    .map(Parsed::valid)
                    .orElseGet(() -> Parsed.invalid("is none of auto, X-Forwarded-For, Forwarded and X-Real-IP")),
            header -> header.text);

    private final String text;

    ForwardedHeader(String text) {
        this.text = text;
    }

    /// The name of the header, or `auto`.
    public String text() {
        return text;
    }
}
