package dev.grapnel.server.address;

import dev.grapnel.config.Cidr;
import dev.grapnel.nostr.Parsed;
import dev.grapnel.nostr.url.Host;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;

/// The address of a client, for limits, bans and logs alike (relay 6.7). An IPv4 address inside IPv6 is that
/// IPv4 address; names and zones are dropped, since they mean something on one machine only.
public record ClientAddress(InetAddress address) {
    /// The first half of an IPv6 address is its network, the rest whatever a customer likes.
    private static final int NETWORK_BYTES = 8;

    public ClientAddress {
        address = of(address.getAddress());
    }

    /// Reads an address in its usual spelling: no octal, no shortened IPv4, no zone.
    public static Parsed<ClientAddress> parse(String text) {
        return AddressLiteral.parse(text).map(bytes -> new ClientAddress(of(bytes)));
    }

    /// What this one is counted as: itself, or the first address of its /64.
    public ClientAddress counted() {
        return address instanceof Inet6Address
                ? new ClientAddress(of(Arrays.copyOf(Arrays.copyOf(address.getAddress(), NETWORK_BYTES), 16)))
                : this;
    }

    /// Whether any of these ranges contains it.
    public boolean isIn(List<Cidr> ranges) {
        return ranges.stream().anyMatch(range -> range.contains(address));
    }

    /// Whether it is of this machine.
    public boolean isLoopback() {
        return address.isLoopbackAddress();
    }

    /// The address in its shortest spelling, fit for logs.
    @Override
    public String toString() {
        var text = address.getHostAddress();
        if (!(address instanceof Inet6Address)) {
            return text;
        }
        var bracketed = Host.parse("[" + text + "]").require().text();
        return bracketed.substring(1, bracketed.length() - 1);
    }

    private static InetAddress of(byte[] bytes) {
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException e) {
            throw new IllegalStateException("an address has 4 or 16 bytes", e);
        }
    }
}
