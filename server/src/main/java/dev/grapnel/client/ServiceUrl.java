package dev.grapnel.client;

import dev.grapnel.nostr.Parsed;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.nip19.Npub;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.url.Scheme;
import dev.grapnel.nostr.url.ServiceAddress;
import dev.grapnel.nostr.url.WebUrl;

/// The service a repository is published to.
///
/// @param isPlain whether it is reached without TLS
public record ServiceUrl(ServiceAddress address, boolean isPlain) {
    private static final String GIT = ".git";

    /// A repository there.
    public record Repository(ServiceUrl service, PublicKey owner, Identifier identifier) {
        /// Where git finds it.
        public String cloneUrl() {
            return service.cloneUrl(owner, identifier);
        }
    }

    /// Reads `ws://`, `wss://`, `http://` or `https://`, the host, and the path of a service that does not have it
    /// for itself.
    public static Parsed<ServiceUrl> parse(String text) {
        return WebUrl.parse(text)
                .then(url -> url.isBare()
                        ? Parsed.valid(of(url))
                        : Parsed.invalid("the URL of a server has no user, query or fragment"));
    }

    private static ServiceUrl of(WebUrl url) {
        int port = url.port() == url.scheme().defaultPort() ? 0 : url.port();
        return new ServiceUrl(
                new ServiceAddress(url.host(), port, url.target().segmentsWithoutLastSlash()),
                url.scheme() == Scheme.WS || url.scheme() == Scheme.HTTP);
    }

    /// Reads what git calls a remote: `…/<npub>/<identifier>.git`.
    public static Parsed<Repository> parseRemote(String text) {
        return parse(text).then(ServiceUrl::repository);
    }

    private Parsed<Repository> repository() {
        var path = address.basePath();
        if (path.size() < 2 || !path.getLast().endsWith(GIT)) {
            return Parsed.invalid("it does not end in /<npub>/<identifier>" + GIT);
        }
        var name = path.getLast().substring(0, path.getLast().length() - GIT.length());
        var base = new ServiceUrl(
                new ServiceAddress(address.host(), address.port(), path.subList(0, path.size() - 2)), isPlain);
        return Npub.parse(path.get(path.size() - 2))
                .then(npub -> Identifier.parse(name).map(identifier -> new Repository(base, npub.key(), identifier)));
    }

    /// Where the relay is.
    public String relayUrl() {
        return address.relayUrl(isPlain ? Scheme.WS : Scheme.WSS);
    }

    /// Where git finds a repository, and people its page.
    public String cloneUrl(PublicKey owner, Identifier identifier) {
        return address.cloneUrl(isPlain ? Scheme.HTTP : Scheme.HTTPS, owner, identifier.text());
    }
}
