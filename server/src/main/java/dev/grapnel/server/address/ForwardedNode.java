package dev.grapnel.server.address;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// An address as proxies write it: with or without port, brackets, zone and quotes. Hidden names (`_abc`,
/// `unknown`) are no addresses.
final class ForwardedNode {
    /// Longer than any address with port, zone and escapes; nothing longer is looked at.
    private static final int LENGTH_MAX = 200;

    /// Digits, or a hidden port (RFC 7239, 6).
    private static final String PORT = "(?::(?:[0-9]{1,5}|_[0-9A-Za-z._-]+))?";

    private static final String IPV6 = "([0-9a-fA-F.]*:[0-9a-fA-F:.]*)(?:%[0-9A-Za-z._~-]+)?";

    private static final List<Pattern> FORMS = List.of(
            Pattern.compile("([0-9.]*\\.[0-9.]*)" + PORT),
            Pattern.compile(IPV6),
            Pattern.compile("\\[" + IPV6 + "\\]" + PORT));

    private ForwardedNode() {}

    static Optional<ClientAddress> find(String text) {
        return text.length() > LENGTH_MAX
                ? Optional.empty()
                : findUnquoted(text)
                        .flatMap(ForwardedNode::findLiteral)
                        .flatMap(literal -> ClientAddress.parse(literal).find());
    }

    private static Optional<String> findUnquoted(String text) {
        if (!text.startsWith("\"")) {
            return Optional.of(text);
        }
        return text.length() > 1 && text.endsWith("\"")
                ? Optional.of(text.substring(1, text.length() - 1).replaceAll("\\\\(.)", "$1"))
                : Optional.empty();
    }

    private static Optional<String> findLiteral(String node) {
        for (var form : FORMS) {
            var matcher = form.matcher(node);
            if (matcher.matches()) {
                return Optional.of(matcher.group(1));
            }
        }
        return Optional.empty();
    }
}
