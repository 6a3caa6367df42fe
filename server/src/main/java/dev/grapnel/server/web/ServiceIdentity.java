package dev.grapnel.server.web;

import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.nip19.Npub;
import dev.grapnel.nostr.url.Host;
import dev.grapnel.nostr.url.PercentEncoding;
import dev.grapnel.nostr.url.Scheme;
import dev.grapnel.nostr.url.ServiceAddress;
import dev.grapnel.server.ops.Build;
import java.util.List;
import java.util.stream.Collectors;

/// Who and where this service is.
///
/// Others reach it through TLS, which a proxy ends; only on a loopback address nobody needs that.
public record ServiceIdentity(ServiceAddress address, PublicKey operator, Build build) {
    /// Where clients connect to.
    public String relayUrl() {
        return address.relayUrl(isLoopback() ? Scheme.WS : Scheme.WSS);
    }

    /// How clients find this relay: by its address if that is reached in the usual way.
    public String relayHint(boolean tls) {
        if (tls) {
            var shown = address.toString();
            return address.basePath().isEmpty() ? shown : PercentEncoding.encode(shown);
        }
        return PercentEncoding.encode(address.relayUrl(Scheme.WS));
    }

    /// Where people look.
    public String pageUrl() {
        return address.relayUrl(isLoopback() ? Scheme.HTTP : Scheme.HTTPS);
    }

    /// Path of the page on its host, with a slash at its end.
    String homePath() {
        return address.basePath().stream()
                .map(segment -> PercentEncoding.encode(segment) + "/")
                .collect(Collectors.joining("", "/", ""));
    }

    /// Host and port, without base path.
    String domain() {
        return new ServiceAddress(address.host(), address.port(), List.of()).toString();
    }

    /// Where the icon is.
    public String iconUrl() {
        return pageUrl() + "/icon.png";
    }

    /// The operator's key as people pass it on.
    public String npub() {
        return new Npub(operator).text();
    }

    /// Whether only this machine can reach it.
    public boolean isLoopback() {
        return isLoopback(address.host());
    }

    private static boolean isLoopback(Host host) {
        var text = host.text();
        return text.equals("localhost")
                || text.endsWith(".localhost")
                || text.equals("[::1]")
                || text.matches("127(\\.[0-9]+){3}");
    }
}
