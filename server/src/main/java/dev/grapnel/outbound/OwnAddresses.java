package dev.grapnel.outbound;

import dev.grapnel.nostr.url.ServiceAddress;
import java.util.ArrayList;
import java.util.List;

/// Where this service itself is found (P-622, sync R1.15): asking ourselves for what we lack helps nobody.
///
/// @param addresses the service domain first
public record OwnAddresses(List<ServiceAddress> addresses) {
    public OwnAddresses {
        addresses = List.copyOf(addresses);
    }

    /// The addresses as the operator's settings name them.
    ///
    /// @param further domains, `host` or `host:port`, under the same base path
    /// @throws IllegalArgumentException if one of them is no domain
    public static OwnAddresses of(ServiceAddress service, List<String> further) {
        var addresses = new ArrayList<ServiceAddress>();
        addresses.add(service);
        for (var domain : further) {
            var plain = ServiceAddress.parse(domain, "/").require();
            addresses.add(new ServiceAddress(plain.host(), plain.port(), service.basePath()));
        }
        return new OwnAddresses(addresses);
    }

    /// Whether the URL leads to this service; by host and port that are meant and whole segments of the path,
    /// never by text.
    public boolean covers(RemoteUrl url) {
        return addresses.stream().anyMatch(address -> address.covers(url.web()));
    }
}
