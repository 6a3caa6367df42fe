package dev.grapnel.nostr.url;

import dev.grapnel.nostr.Parsed;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;

/// IPv6 addresses in brackets, in the spelling of RFC 5952. One that is an IPv4 address mapped into IPv6
/// (`::ffff:192.0.2.1`) leads to the same machine as that, and is written as that.
final class Ipv6 {
    private static final int GROUPS = 8;

    private Ipv6() {}

    static Parsed<String> normalise(String bracketed) {
        var literal = bracketed.endsWith("]") ? bracketed.substring(1, bracketed.length() - 1) : "";
        // A zone (`%eth0`) means something on one machine only, and reading one would look at the network interfaces.
        return literal.chars().allMatch(Ipv6::isPlain) && literal.indexOf(':') >= 0
                ? read(literal)
                : Parsed.invalid("not an IPv6 address");
    }

    private static boolean isPlain(int c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F') || c == ':' || c == '.';
    }

    private static Parsed<String> read(String literal) {
        try {
            return Parsed.valid(write(Inet6Address.ofLiteral(literal)));
        } catch (IllegalArgumentException _) {
            return Parsed.invalid("not an IPv6 address");
        }
    }

    /// The JDK makes an IPv4 address of one that is mapped into IPv6.
    private static String write(InetAddress address) {
        return address instanceof Inet6Address ? "[" + write(address.getAddress()) + "]" : address.getHostAddress();
    }

    private static String write(byte[] address) {
        var groups = new int[GROUPS];
        for (int i = 0; i < GROUPS; i++) {
            groups[i] = ByteBuffer.wrap(address).getShort(2 * i) & 0xffff;
        }
        int gap = longestZeroRun(groups);
        int gapEnd = gap + zeroRun(groups, gap);
        return gapEnd - gap < 2 ? join(groups, 0, GROUPS) : join(groups, 0, gap) + "::" + join(groups, gapEnd, GROUPS);
    }

    private static int longestZeroRun(int[] groups) {
        int longest = 0;
        for (int i = 1; i < GROUPS; i++) {
            if (zeroRun(groups, i) > zeroRun(groups, longest)) {
                longest = i;
            }
        }
        return longest;
    }

    private static int zeroRun(int[] groups, int from) {
        int end = from;
        while (end < GROUPS && groups[end] == 0) {
            end++;
        }
        return end - from;
    }

    private static String join(int[] groups, int from, int to) {
        var out = new StringBuilder();
        for (int i = from; i < to; i++) {
            out.append(i == from ? "" : ":").append(Integer.toHexString(groups[i]));
        }
        return out.toString();
    }
}
