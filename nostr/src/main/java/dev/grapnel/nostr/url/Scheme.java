package dev.grapnel.nostr.url;

import dev.grapnel.nostr.Parsed;
import java.util.Locale;

/// The schemes a service is reached by.
public enum Scheme {
    HTTP(80),
    HTTPS(443),
    WS(80),
    WSS(443);

    private final String word = name().toLowerCase(Locale.ROOT);
    private final int defaultPort;

    Scheme(int defaultPort) {
        this.defaultPort = defaultPort;
    }

    /// Reads the word in any case, without the colon.
    public static Parsed<Scheme> parse(String text) {
        for (var scheme : values()) {
            if (scheme.word.equals(asciiLower(text))) {
                return Parsed.valid(scheme);
            }
        }
        return Parsed.invalid("the scheme is not http, https, ws or wss");
    }

    /// Folds ASCII only: a long s is no s in a scheme.
    private static String asciiLower(String text) {
        return text.chars().allMatch(c -> c < 128) ? text.toLowerCase(Locale.ROOT) : text;
    }

    /// As written in a URL, without the colon.
    public String word() {
        return word;
    }

    /// The port meant when a URL gives none.
    public int defaultPort() {
        return defaultPort;
    }

    /// Whether it leads to git and pages.
    public boolean isWeb() {
        return this == HTTP || this == HTTPS;
    }

    /// Whether it leads to a relay.
    public boolean isRelay() {
        return !isWeb();
    }
}
