package dev.grapnel.config;

import dev.grapnel.nostr.url.Scheme;
import dev.grapnel.nostr.url.ServiceAddress;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;

/// Under which address the service knows itself (service 10.1, `DOMAIN`).
///
/// @param isAssumed whether nobody named a domain, so that it is where the server listens
public record ServiceDomain(ServiceAddress address, boolean isAssumed) {
    /// A configuration without a domain that listens where others reach it was refused before.
    ///
    /// @param port the port that was bound, which is not the configured one if that was 0
    public static ServiceDomain of(Configuration configuration, int port) {
        var bind = configuration.require(ServiceSettings.BIND_ADDRESS);
        var given = configuration.find(ServiceSettings.DOMAIN);
        var text = given.orElseGet(() -> new BindAddress(bind.address(), port).toString());
        var address = ServiceAddress.parse(text, configuration.require(ServiceSettings.BASE_PATH));
        return new ServiceDomain(address.require(), given.isEmpty());
    }

    /// What the operator should know about it, if anything.
    public Optional<String> hint() {
        return isAssumed
                ? Optional.of("No domain is set: other machines cannot use this service until --domain names the host"
                        + " under which they reach it.")
                : Optional.empty();
    }

    /// Whether the name leads to the machine that uses it: then nothing stands in front that speaks TLS.
    public boolean isLoopback() {
        var host = address.host().text();
        return host.equals("localhost") || host.endsWith(".localhost") || isLoopbackAddress(host);
    }

    private static boolean isLoopbackAddress(String host) {
        var literal = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
        return Cidr.parseAddress(literal)
                .find()
                .filter(InetAddress::isLoopbackAddress)
                .isPresent();
    }

    /// `ws://` or `wss://`, domain and base path: the URL of the relay.
    public String relayUrl() {
        return address.relayUrl(isLoopback() ? Scheme.WS : Scheme.WSS);
    }

    /// `http://` or `https://`, domain and base path: the URL of the page.
    public String pageUrl() {
        return address.relayUrl(isLoopback() ? Scheme.HTTP : Scheme.HTTPS);
    }

    /// Host, and port if it has one, without base path.
    public String domain() {
        return new ServiceAddress(address.host(), address.port(), List.of()).toString();
    }
}
