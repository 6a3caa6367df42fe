package dev.grapnel.outbound;

import dev.grapnel.config.Cidr;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// Ranges of addresses that lead elsewhere than into the public network (P-803).
final class AddressRanges {
    /// This machine.
    static final List<Cidr> LOOPBACK = ranges("127.0.0.0/8", "::1/128");

    /// What the existing server's switch opens (P-814): link-local addresses stay closed.
    static final List<Cidr> NON_GLOBAL = ranges(
            "127.0.0.0/8", "::1/128", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7", "100.64.0.0/10");

    private static final List<Cidr> CLOSED = ranges(
            "0.0.0.0/8",
            "10.0.0.0/8",
            "100.64.0.0/10",
            "127.0.0.0/8",
            "169.254.0.0/16",
            "172.16.0.0/12",
            "192.0.0.0/24",
            "192.0.2.0/24",
            "192.88.99.0/24",
            "192.168.0.0/16",
            "198.18.0.0/15",
            "198.51.100.0/24",
            "203.0.113.0/24",
            "224.0.0.0/4",
            "240.0.0.0/4",
            "::/96",
            "64:ff9b:1::/48",
            "100::/64",
            "2001::/32",
            "2001:2::/48",
            "2001:10::/28",
            "2001:db8::/32",
            "3fff::/20",
            "fc00::/7",
            "fe80::/10",
            "fec0::/10",
            "ff00::/8");

    /// Nothing outside was ever given out as public unicast; this also closes what is not given out yet.
    private static final Cidr PUBLIC_IPV6 = range("2000::/3");

    private static final byte[] MAPPED = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, (byte) 0xff, (byte) 0xff};
    private static final byte[] NAT64 = {0, 0x64, (byte) 0xff, (byte) 0x9b, 0, 0, 0, 0, 0, 0, 0, 0};
    private static final byte[] SIX_TO_FOUR = {0x20, 0x02};
    private static final int IPV4_BYTES = 4;

    private AddressRanges() {}

    /// The address by which another is judged: the IPv4 address inside, if there is one.
    static InetAddress judged(InetAddress address) {
        return findIpv4Behind(address, MAPPED)
                .or(() -> findIpv4Behind(address, NAT64))
                .or(() -> findIpv4Behind(address, SIX_TO_FOUR))
                .orElse(address);
    }

    /// Whether an address leads into the public network and to one machine.
    static boolean isPublic(InetAddress address) {
        var judged = judged(address);
        return CLOSED.stream().noneMatch(range -> range.contains(judged))
                && (!(judged instanceof Inet6Address) || PUBLIC_IPV6.contains(judged));
    }

    /// Whether an address means something on this machine only.
    static boolean hasZone(InetAddress address) {
        return address instanceof Inet6Address six && (six.getScopeId() != 0 || six.getScopedInterface() != null);
    }

    private static Optional<InetAddress> findIpv4Behind(InetAddress address, byte[] prefix) {
        var bytes = address.getAddress();
        if (bytes.length == IPV4_BYTES || !Arrays.equals(bytes, 0, prefix.length, prefix, 0, prefix.length)) {
            return Optional.empty();
        }
        try {
            return Optional.of(
                    InetAddress.getByAddress(Arrays.copyOfRange(bytes, prefix.length, prefix.length + IPV4_BYTES)));
        } catch (UnknownHostException e) {
            throw new IllegalStateException("four bytes are an address", e);
        }
    }

    private static List<Cidr> ranges(String... texts) {
        return Arrays.stream(texts).map(AddressRanges::range).toList();
    }

    private static Cidr range(String text) {
        return Cidr.parse(text).require();
    }
}
