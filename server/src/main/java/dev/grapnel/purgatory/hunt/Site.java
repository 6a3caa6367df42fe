package dev.grapnel.purgatory.hunt;

import dev.grapnel.nostr.url.Host;
import dev.grapnel.nostr.url.Scheme;
import dev.grapnel.nostr.url.WebUrl;
import dev.grapnel.outbound.RemoteUrl;
import java.util.Optional;

/// Where a connection leads, as far as faults of its set-up go (P-675): the same for git and relays. A name is that of
/// all ports; a certificate is that of one, and of those who speak TLS there.
public record Site(Scheme scheme, Host host, int port) {
    public static Site of(RemoteUrl url) {
        return new Site(url.scheme(), url.host(), url.port());
    }

    /// Where the usual port of a host leads that speaks TLS.
    public static Site secure(Host host) {
        return new Site(Scheme.HTTPS, host, Scheme.HTTPS.defaultPort());
    }

    /// Where a URL leads; empty if it is none.
    static Optional<Site> find(String url) {
        return WebUrl.parse(url).find().map(found -> new Site(found.scheme(), found.host(), found.port()));
    }

    /// Whether its certificate matters.
    public boolean isSecure() {
        return scheme == Scheme.HTTPS || scheme == Scheme.WSS;
    }

    /// Whose certificate it is.
    public String hostAndPort() {
        return host + ":" + port;
    }

    /// As people write it.
    public String origin() {
        return scheme.word() + "://" + (port == scheme.defaultPort() ? host.text() : hostAndPort());
    }
}
