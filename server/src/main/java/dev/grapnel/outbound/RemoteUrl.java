package dev.grapnel.outbound;

import dev.grapnel.log.SafeText;
import dev.grapnel.nostr.Parsed;
import dev.grapnel.nostr.url.Host;
import dev.grapnel.nostr.url.PercentEncoding;
import dev.grapnel.nostr.url.RequestTarget;
import dev.grapnel.nostr.url.Scheme;
import dev.grapnel.nostr.url.WebUrl;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// A URL of another server that may be asked as far as its text goes (P-800 to P-802). Two spellings of one
/// address are equal (P-623): host case, default port, slash at the end, dot
/// segments, escapes and a query without a word do not count.
public final class RemoteUrl {
    /// Characters of a URL in a log line (P-811).
    private static final int LOGGED_MAX = 200;

    private static final int FIRST_FREE_PORT = 1024;

    /// What stands in a path as itself besides letters and digits (RFC 3986, `pchar`).
    private static final String PATH_MARKS = "-._~!$&'()*+,;=:@";

    private final WebUrl url;

    private RemoteUrl(WebUrl url) {
        this.url = url;
    }

    /// Reads a whole text.
    public static Judged<RemoteUrl> parse(String text, UrlShape shape) {
        if (!text.isEmpty() && (isBlank(text.charAt(0)) || isBlank(text.charAt(text.length() - 1)))) {
            return Judged.refused(Rule.SHAPE, "there are blanks around it");
        }
        if (schemeOf(text).filter(shape.schemes()::contains).isEmpty()) {
            return Judged.refused(Rule.SCHEME, "the scheme is none of those that are allowed");
        }
        if (text.length() > shape.charactersMax()) {
            return Judged.refused(Rule.SHAPE, "it has more than " + shape.charactersMax() + " characters");
        }
        return switch (WebUrl.parse(text)) {
            case Parsed.Invalid<WebUrl>(var reason) -> Judged.refused(Rule.SHAPE, reason);
            case Parsed.Valid<WebUrl>(var url) -> judge(url, shape);
        };
    }

    /// The domain of a text that need not be fit for use (P-624): in logs and metrics one wants to name the host
    /// of what was refused.
    public static Optional<String> findDomain(String text) {
        return WebUrl.parse(text)
                .find()
                .filter(url -> url.scheme().isWeb())
                .map(url -> url.host().text());
    }

    /// A text that was refused, fit for a log line (P-811).
    public static String clean(String text) {
        int end = endOfVisible(text);
        int slashes = text.indexOf("://");
        int start = slashes < 0 || slashes > end ? 0 : slashes + 3;
        int slash = text.indexOf('/', start);
        int authorityEnd = slash < 0 || slash > end ? end : slash;
        // Programs disagree on where user info ends, so everything before the last sign of it goes.
        int at = text.lastIndexOf('@', authorityEnd - 1);
        var whole = at < start ? text.substring(0, end) : text.substring(0, start) + text.substring(at + 1, end);
        return cut(SafeText.of(whole));
    }

    private static Optional<Scheme> schemeOf(String text) {
        int end = text.indexOf("://");
        return end < 0 ? Optional.empty() : Scheme.parse(text.substring(0, end)).find();
    }

    private static boolean isBlank(char c) {
        return Character.isWhitespace(c) || Character.isSpaceChar(c);
    }

    private static Judged<RemoteUrl> judge(WebUrl url, UrlShape shape) {
        var target = url.target();
        if (url.hasUserInfo() || url.hasFragment()) {
            return Judged.refused(Rule.SHAPE, "there is user info or a fragment");
        }
        if (target.hasQuery() && shape.query() == UrlShape.Query.REFUSED) {
            return Judged.refused(Rule.SHAPE, "there is a query");
        }
        if (target.segments().isEmpty() && shape.path() == UrlShape.Path.NEEDED) {
            return Judged.refused(Rule.SHAPE, "there is no path");
        }
        if (target.segments().stream().anyMatch(part -> part.chars().anyMatch(Character::isISOControl))) {
            return Judged.refused(Rule.SHAPE, "there are escaped control characters");
        }
        return shape.ports() == UrlShape.Ports.ANY || isOpen(url.port())
                ? Judged.passed(new RemoteUrl(normalise(url)))
                : Judged.refused(Rule.PORT, "ports below " + FIRST_FREE_PORT + " but 80 and 443 belong to others");
    }

    private static boolean isOpen(int port) {
        return port == Scheme.HTTP.defaultPort() || port == Scheme.HTTPS.defaultPort() || port >= FIRST_FREE_PORT;
    }

    private static WebUrl normalise(WebUrl url) {
        var segments = new ArrayList<String>();
        for (var part : url.target().segments()) {
            switch (part) {
                case "." -> {}
                case ".." -> {
                    if (!segments.isEmpty()) {
                        segments.removeLast();
                    }
                }
                default -> segments.add(part);
            }
        }
        while (!segments.isEmpty() && segments.getLast().isEmpty()) {
            segments.removeLast();
        }
        var query = url.target().query();
        var target = new RequestTarget(segments, query, !query.isEmpty());
        return new WebUrl(url.scheme(), url.host(), url.port(), false, target, false);
    }

    /// The same place, asked without a WebSocket: where a relay describes itself (NIP-11).
    public RemoteUrl overHttp() {
        var web = isSecure() ? Scheme.HTTPS : Scheme.HTTP;
        return new RemoteUrl(new WebUrl(web, url.host(), url.port(), false, url.target(), false));
    }

    /// How it is spoken to.
    public Scheme scheme() {
        return url.scheme();
    }

    /// Whether the connection is encrypted.
    public boolean isSecure() {
        return scheme() == Scheme.HTTPS || scheme() == Scheme.WSS;
    }

    /// Whom the connection leads to.
    public Host host() {
        return url.host();
    }

    /// The port that is meant, given or not.
    public int port() {
        return url.port();
    }

    /// What is limited, paused and counted (P-624): the host without port.
    public String domain() {
        return host().text();
    }

    /// The one spelling that is compared.
    public String text() {
        var path = path();
        return origin() + (path.isEmpty() && scheme().isWeb() ? "/" : path) + query();
    }

    /// Scheme, host and port.
    public String origin() {
        return scheme().word() + "://" + hostAndPort();
    }

    /// As the server's name stands in a request: with its port if that is not the usual one.
    public String hostAndPort() {
        return port() == scheme().defaultPort() ? host().text() : host() + ":" + port();
    }

    /// The path without a slash at its end; empty for the root.
    public String path() {
        return url.target().segments().stream().map(part -> "/" + escape(part)).collect(Collectors.joining());
    }

    /// Path and query as they stand in a request.
    public String target() {
        var path = path();
        return (path.isEmpty() ? "/" : path) + query();
    }

    /// Fit for a log line (P-811).
    public String clean() {
        return cut(origin() + (path().isEmpty() ? "/" : path()));
    }

    /// For rules that compare URLs taken apart.
    WebUrl web() {
        return url;
    }

    private String query() {
        return url.target().hasQuery() ? "?" + url.target().query() : "";
    }

    /// Escapes what must be and no more: some servers compare paths as text.
    private static String escape(String segment) {
        return segment.codePoints()
                .mapToObj(Character::toString)
                .map(c -> PATH_MARKS.contains(c) ? c : PercentEncoding.encode(c))
                .collect(Collectors.joining());
    }

    private static int endOfVisible(String text) {
        return List.of(text.indexOf('?'), text.indexOf('#')).stream()
                .filter(at -> at >= 0)
                .min(Integer::compare)
                .orElse(text.length());
    }

    private static String cut(String text) {
        return text.length() <= LOGGED_MAX ? text : text.substring(0, LOGGED_MAX);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RemoteUrl remote && url.equals(remote.url);
    }

    @Override
    public int hashCode() {
        return url.hashCode();
    }

    @Override
    public String toString() {
        return clean();
    }
}
