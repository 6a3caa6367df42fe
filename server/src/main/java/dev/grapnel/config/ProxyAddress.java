package dev.grapnel.config;

import dev.grapnel.nostr.Parsed;
import dev.grapnel.nostr.url.Host;
import dev.grapnel.nostr.url.ServiceAddress;

/// Where a proxy listens.
public record ProxyAddress(Host host, int port) {
    static final ValueType<ProxyAddress> TYPE = ValueTypes.parsed(
            "<host:port>", "a host and a port, such as 127.0.0.1:9050", ProxyAddress::parse, ProxyAddress::toString);

    /// Reads `host:port`.
    public static Parsed<ProxyAddress> parse(String text) {
        return ServiceAddress.parse(text, "/")
                .then(address -> address.port() == 0
                        ? Parsed.invalid("there is no port")
                        : Parsed.valid(new ProxyAddress(address.host(), address.port())));
    }

    @Override
    public String toString() {
        return host + ":" + port;
    }
}
