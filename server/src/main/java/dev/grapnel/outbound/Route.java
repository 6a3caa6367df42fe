package dev.grapnel.outbound;

import dev.grapnel.config.ProxyAddress;
import dev.grapnel.nostr.url.Host;
import java.net.InetAddress;
import java.util.List;

/// How a server is reached whose URL passed every rule. Only [Gateway] makes one.
public sealed interface Route {
    /// The name TLS verifies.
    Host host();

    int port();

    /// By one of these addresses and no other (P-804).
    ///
    /// @param addresses at least one, all checked, in the order in which they are tried
    record Direct(Host host, int port, List<InetAddress> addresses) implements Route {
        public Direct {
            addresses = List.copyOf(addresses);
        }
    }

    /// By the proxy for onion services, which knows the way itself (P-815).
    record Onion(Host host, int port, ProxyAddress proxy) implements Route {}
}
