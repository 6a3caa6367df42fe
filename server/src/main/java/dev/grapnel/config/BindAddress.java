package dev.grapnel.config;

import dev.grapnel.nostr.Parsed;
import java.net.Inet6Address;
import java.net.InetAddress;

/// Where the server listens.
///
/// @param port 0 lets the system choose one
public record BindAddress(InetAddress address, int port) {
    /// Reads `ip:port` or `[v6]:port`.
    public static Parsed<BindAddress> parse(String text) {
        int colon = text.lastIndexOf(':');
        var host = colon < 0 ? "" : text.substring(0, colon);
        var port = text.substring(colon + 1);
        boolean isBracketed = host.startsWith("[") && host.endsWith("]");
        if (colon < 0 || !port.matches("[0-9]{1,5}") || Integer.parseInt(port) > 65_535) {
            return Parsed.invalid("it is not an address and a port, such as 127.0.0.1:7334 or [::1]:7334");
        }
        if (host.contains(":") != isBracketed) {
            return Parsed.invalid("an IPv6 address stands in brackets, such as [::1]:7334");
        }
        return Cidr.parseAddress(isBracketed ? host.substring(1, host.length() - 1) : host)
                .map(address -> new BindAddress(address, Integer.parseInt(port)));
    }

    /// Whether only this machine reaches it.
    public boolean isLoopback() {
        return address.isLoopbackAddress();
    }

    @Override
    public String toString() {
        var host = Cidr.textOf(address);
        return (address instanceof Inet6Address ? "[" + host + "]" : host) + ":" + port;
    }
}
