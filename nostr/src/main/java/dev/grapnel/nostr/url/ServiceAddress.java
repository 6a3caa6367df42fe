package dev.grapnel.nostr.url;

import dev.grapnel.nostr.Parsed;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.nip19.Npub;
import java.util.ArrayList;
import java.util.List;

/// Where a service is reached (service 1.2): its domain, and below which path.
///
/// A URL means the service whatever its scheme, because a proxy may stand in front. A domain without port
/// therefore means the default port of each scheme; one with a port means that port.
///
/// @param port 1 to 65535, or 0 if the domain has none
/// @param basePath decoded segments; none for a service that has the domain for itself
public record ServiceAddress(Host host, int port, List<String> basePath) {
    private static final String BAD_BASE_PATH = "a base path is / or begins with /, without empty, . or .. segments,"
            + " query, fragment and slash at the end";

    public ServiceAddress {
        basePath = List.copyOf(basePath);
    }

    /// Reads `host[:port]`, one slash behind it forgiven, and a base path, which is `/` for none (service
    /// 10.1).
    public static Parsed<ServiceAddress> parse(String domain, String basePath) {
        var plain = domain.endsWith("/") ? domain.substring(0, domain.length() - 1) : domain;
        return Authority.parse(plain)
                .then(authority -> parseBasePath(basePath)
                        .map(segments -> new ServiceAddress(authority.host(), authority.port(), segments)));
    }

    private static Parsed<List<String>> parseBasePath(String text) {
        if (text.equals("/")) {
            return Parsed.valid(List.of());
        }
        return RequestTarget.parse(text)
                .then(target -> isBasePath(target) ? Parsed.valid(target.segments()) : Parsed.invalid(BAD_BASE_PATH));
    }

    private static boolean isBasePath(RequestTarget target) {
        return !target.hasQuery()
                && !target.segments().isEmpty()
                && target.segments().stream()
                        .noneMatch(part -> List.of("", ".", "..").contains(part));
    }

    /// Whether the URL leads to the same host and port; never by comparing text.
    public boolean sameHostAndPort(WebUrl url) {
        int expected = port == Authority.NO_PORT ? url.scheme().defaultPort() : port;
        return url.host().equals(host) && url.port() == expected;
    }

    /// Whether the URL leads to this service and not to a sibling on the same host (purgatory P-622).
    public boolean covers(WebUrl url) {
        var segments = url.target().segments();
        return sameHostAndPort(url)
                && segments.size() >= basePath.size()
                && segments.subList(0, basePath.size()).equals(basePath);
    }

    /// Whether a client that authenticates to this URL means us (NIP-42): the path does not matter.
    public boolean isRelayHost(WebUrl url) {
        return url.scheme().isRelay() && sameHostAndPort(url);
    }

    /// Whether this is the URL of our relay (NIP-62, service 4.4.2), one slash at its end more or less.
    public boolean isRelay(WebUrl url) {
        return isRelayHost(url)
                && url.isBare()
                && url.target().segmentsWithoutLastSlash().equals(basePath);
    }

    /// Whether a client that asked for `received` may have signed this URL (NIP-98).
    public boolean isRequest(WebUrl signed, RequestTarget received) {
        return sameHostAndPort(signed)
                && !signed.hasUserInfo()
                && !signed.hasFragment()
                && signed.target().matches(received);
    }

    /// Whether git finds this very repository at the URL (service 4.4.2).
    public boolean isRepository(WebUrl url, PublicKey owner, String identifier) {
        return url.scheme().isWeb()
                && url.isBare()
                && sameHostAndPort(url)
                && url.target().nonEmptySegments().equals(repositorySegments(owner, identifier));
    }

    /// `/<npub>/<identifier>.git` below the base path, escaped.
    public String repositoryPath(PublicKey owner, String identifier) {
        return RequestTarget.writePath(repositorySegments(owner, identifier));
    }

    /// Where git finds a repository.
    public String cloneUrl(Scheme scheme, PublicKey owner, String identifier) {
        return origin(scheme) + repositoryPath(owner, identifier);
    }

    /// Where the relay, or with a web scheme the service's own page, is.
    public String relayUrl(Scheme scheme) {
        return origin(scheme) + RequestTarget.writePath(basePath);
    }

    /// Domain and base path, without scheme.
    @Override
    public String toString() {
        return (port == Authority.NO_PORT ? host.text() : host + ":" + port) + RequestTarget.writePath(basePath);
    }

    private String origin(Scheme scheme) {
        return scheme.word() + "://" + new Authority(host, port).text(scheme);
    }

    private List<String> repositorySegments(PublicKey owner, String identifier) {
        var segments = new ArrayList<>(basePath);
        segments.add(new Npub(owner).text());
        segments.add(identifier + ".git");
        return segments;
    }
}
