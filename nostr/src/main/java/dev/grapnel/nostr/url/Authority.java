package dev.grapnel.nostr.url;

import dev.grapnel.nostr.Parsed;

/// `host` or `host:port`.
///
/// @param port 1 to 65535, or [#NO_PORT]
record Authority(Host host, int port) {
    static final int NO_PORT = 0;

    private static final int PORT_MAX = 65_535;

    static Parsed<Authority> parse(String text) {
        int colon = text.indexOf(':', text.lastIndexOf(']') + 1);
        return colon < 0
                ? Host.parse(text).map(host -> new Authority(host, NO_PORT))
                : Host.parse(text.substring(0, colon)).then(host -> withPort(host, text.substring(colon + 1)));
    }

    private static Parsed<Authority> withPort(Host host, String digits) {
        boolean plain = !digits.isEmpty()
                && digits.length() <= 5
                && digits.charAt(0) != '0'
                && digits.chars().allMatch(c -> c >= '0' && c <= '9');
        int port = plain ? Integer.parseInt(digits) : NO_PORT;
        return port == NO_PORT || port > PORT_MAX
                ? Parsed.invalid("a port is a number from 1 to " + PORT_MAX)
                : Parsed.valid(new Authority(host, port));
    }

    /// As it stands in a URL of this scheme.
    String text(Scheme scheme) {
        return port == NO_PORT || port == scheme.defaultPort() ? host.text() : host + ":" + port;
    }
}
