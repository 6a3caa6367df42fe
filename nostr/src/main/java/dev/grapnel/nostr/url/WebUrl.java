package dev.grapnel.nostr.url;

import dev.grapnel.nostr.Parsed;

/// An absolute URL of a web server or a relay, taken apart.
///
/// @param port the port that is meant, given or not
/// @param hasUserInfo whether a name or password was given; it is not kept
/// @param hasFragment whether there is a `#`; what follows is not kept
public record WebUrl(
        Scheme scheme, Host host, int port, boolean hasUserInfo, RequestTarget target, boolean hasFragment) {
    /// Reads a whole text; spaces around it are not forgiven.
    public static Parsed<WebUrl> parse(String text) {
        var defect = UrlText.findDefect(text);
        if (defect.isPresent()) {
            return Parsed.invalid(defect.get());
        }
        int colon = text.indexOf("://");
        return colon < 0
                ? Parsed.invalid("a URL begins with a scheme and ://")
                : Scheme.parse(text.substring(0, colon)).then(scheme -> parse(scheme, text.substring(colon + 3)));
    }

    private static Parsed<WebUrl> parse(Scheme scheme, String rest) {
        int hash = rest.indexOf('#');
        var whole = hash < 0 ? rest : rest.substring(0, hash);
        int end = endOfAuthority(whole);
        int at = whole.lastIndexOf('@', end - 1);
        return Authority.parse(whole.substring(at + 1, end))
                .then(authority -> RequestTarget.parse(whole.substring(end))
                        .map(target -> new WebUrl(
                                scheme, authority.host(), portOf(authority, scheme), at >= 0, target, hash >= 0)));
    }

    /// Whether nothing but scheme, host, port and path was given.
    public boolean isBare() {
        return !hasUserInfo && !hasFragment && !target.hasQuery();
    }

    /// The text in normal form, without user info and fragment: two spellings of one address give one text.
    @Override
    public String toString() {
        return scheme.word() + "://" + new Authority(host, port).text(scheme) + target;
    }

    private static int endOfAuthority(String text) {
        int slash = text.indexOf('/');
        int mark = text.indexOf('?');
        int end = slash < 0 ? text.length() : slash;
        return mark < 0 ? end : Math.min(mark, end);
    }

    private static int portOf(Authority authority, Scheme scheme) {
        return authority.port() == Authority.NO_PORT ? scheme.defaultPort() : authority.port();
    }
}
