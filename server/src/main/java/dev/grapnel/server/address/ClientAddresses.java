package dev.grapnel.server.address;

import dev.grapnel.config.Cidr;
import dev.grapnel.config.Configuration;
import dev.grapnel.config.ForwardedHeader;
import dev.grapnel.config.RelaySettings;
import dev.grapnel.config.ServiceSettings;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Finds the client behind a proxy (relay 6.7). A header counts only if the proxy that sent it is trusted.
///
/// Lists are read from the right, where the trusted proxy wrote; what a client wrote itself stands further
/// left and is not even looked at. Whatever cannot be read on the way gives the TCP peer: to go on looking
/// would believe somebody nobody vouches for.
public final class ClientAddresses {
    /// Proxies in a row that are believed; more, and the header is taken for unreadable.
    static final int HOPS_MAX = 100;

    private static final List<ForwardedHeader> AUTO =
            List.of(ForwardedHeader.X_FORWARDED_FOR, ForwardedHeader.FORWARDED, ForwardedHeader.X_REAL_IP);

    private final List<Cidr> trustedProxies;
    private final List<ForwardedHeader> headers;

    public ClientAddresses(List<Cidr> trustedProxies, ForwardedHeader header) {
        this.trustedProxies = List.copyOf(trustedProxies);
        this.headers = header == ForwardedHeader.AUTO ? AUTO : List.of(header);
    }

    /// As the operator set it.
    public static ClientAddresses from(Configuration configuration) {
        return new ClientAddresses(
                configuration.require(ServiceSettings.TRUSTED_PROXIES),
                configuration.require(RelaySettings.FORWARDED_HEADER));
    }

    /// The client of a request.
    ///
    /// @param peer the other end of the TCP connection
    /// @param headerValues all values of the header with this name in their order, none if it is absent
    public ClientAddress of(InetAddress peer, Function<String, List<String>> headerValues) {
        var connected = new ClientAddress(peer);
        return connected.isIn(trustedProxies) ? findForwarded(headerValues).orElse(connected) : connected;
    }

    /// Whether the client uses TLS, as far as a proxy that is trusted says so; nothing if none does.
    ///
    /// @param peer the other end of the TCP connection
    public Optional<Boolean> findTls(InetAddress peer, Function<String, List<String>> headerValues) {
        if (!new ClientAddress(peer).isIn(trustedProxies)) {
            return Optional.empty();
        }
        var scheme = headerValues.apply("X-Forwarded-Proto");
        var word = scheme.isEmpty()
                ? headerValues.apply("Forwarded").stream()
                        .reduce((_, last) -> last)
                        .flatMap(ForwardedElement::findScheme)
                : Optional.of(scheme.getLast());
        return word.map(String::strip).map("https"::equalsIgnoreCase);
    }

    /// Whether the request came through a proxy that is trusted.
    public boolean isForwarded(InetAddress peer, Function<String, List<String>> headerValues) {
        return new ClientAddress(peer).isIn(trustedProxies)
                && headers.stream()
                        .anyMatch(header -> !headerValues.apply(header.text()).isEmpty());
    }

    private Optional<ClientAddress> findForwarded(Function<String, List<String>> headerValues) {
        for (var header : headers) {
            var values = headerValues.apply(header.text());
            if (!values.isEmpty()) {
                return findIn(header, values);
            }
        }
        return Optional.empty();
    }

    private Optional<ClientAddress> findIn(ForwardedHeader header, List<String> values) {
        return switch (header) {
            case X_FORWARDED_FOR -> walk(values, ForwardedNode::find);
            case FORWARDED -> walk(values, ForwardedElement::findClient);
            // No list: a proxy that adds it to one of the client's own adds it behind.
            case X_REAL_IP -> ForwardedNode.find(values.getLast().strip());
            case AUTO -> throw new IllegalStateException("auto is no header");
        };
    }

    /// The first from the right that is not trusted. If all are, the leftmost: a client on the proxies' own
    /// network, such as a program on the same machine.
    private Optional<ClientAddress> walk(List<String> values, Function<String, Optional<ClientAddress>> reader) {
        var elements = new ElementsFromRight(values);
        @Nullable ClientAddress leftmost = null;
        for (int i = 0; i < HOPS_MAX; i++) {
            var element = elements.findNext();
            if (element.isEmpty()) {
                return Optional.ofNullable(leftmost);
            }
            if (element.get().isEmpty()) {
                continue; // lists may have empty elements, and they say nothing (RFC 9110, 5.6.1)
            }
            var address = reader.apply(element.get());
            if (address.isEmpty() || !address.get().isIn(trustedProxies)) {
                return address;
            }
            leftmost = address.get();
        }
        return Optional.empty();
    }
}
