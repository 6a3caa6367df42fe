package dev.grapnel.config;

import dev.grapnel.nostr.Parsed;
import dev.grapnel.nostr.url.Host;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.regex.Pattern;

/// A range of addresses: an address, and how many of its first bits count. An IPv4 address inside IPv6 is that
/// IPv4 address.
///
/// @param address its first address, in text as RFC 5952 wants it
/// @param bits of it that count
public record Cidr(String address, int bits) {
    /// Those of an IPv6 address in front of an IPv4 address that is mapped into it.
    private static final int MAPPED_BITS = 96;

    private static final Pattern IPV4 = Pattern.compile("[0-9]{1,3}(\\.[0-9]{1,3}){3}");
    private static final Pattern IPV6 = Pattern.compile("[0-9a-fA-F:.]*:[0-9a-fA-F:.]*");

    /// Reads `10.0.0.0/8`, `::1/128`, or an address alone.
    public static Parsed<Cidr> parse(String text) {
        int slash = text.indexOf('/');
        var host = slash < 0 ? text : text.substring(0, slash);
        return parseAddress(host).then(address -> {
            int own = 8 * address.getAddress().length;
            int outer = host.contains(":") && address instanceof Inet4Address ? MAPPED_BITS : 0;
            if (slash < 0) {
                return Parsed.valid(of(address, own));
            }
            var bits = text.substring(slash + 1);
            return isBetween(bits, outer, outer + own)
                    ? Parsed.valid(of(address, Integer.parseInt(bits) - outer))
                    : Parsed.invalid("the number behind the slash is not " + outer + " to " + (outer + own));
        });
    }

    /// The same, but not all addresses there are: whoever lists ranges is to say which (purgatory P-814).
    static Parsed<Cidr> parseRange(String text) {
        return parse(text)
                .then(range -> range.bits() > 0
                        ? Parsed.valid(range)
                        : Parsed.invalid("it is every address there is, and the rules that keep strangers' events from"
                                + " reaching into private networks cannot be switched off: name the ranges that are"
                                + " needed"));
    }

    private static boolean isBetween(String digits, int min, int max) {
        return digits.matches("[0-9]{1,3}") && Integer.parseInt(digits) >= min && Integer.parseInt(digits) <= max;
    }

    /// An address as RFC 5952 wants it, without brackets.
    static String textOf(InetAddress address) {
        if (address instanceof Inet4Address) {
            return address.getHostAddress();
        }
        var bracketed =
                Host.parse("[" + address.getHostAddress() + "]").require().text();
        return bracketed.substring(1, bracketed.length() - 1);
    }

    /// Reads an address without asking anybody for a name.
    public static Parsed<InetAddress> parseAddress(String text) {
        if (!IPV4.matcher(text).matches() && !IPV6.matcher(text).matches()) {
            return Parsed.invalid("it is not an IP address");
        }
        try {
            return Parsed.valid(InetAddress.ofLiteral(text));
        } catch (IllegalArgumentException _) {
            return Parsed.invalid("it is not an IP address");
        }
    }

    private static Cidr of(InetAddress address, int bits) {
        var bytes = address.getAddress();
        for (int i = 0; i < bytes.length; i++) {
            int kept = Math.clamp(bits - 8L * i, 0, 8);
            bytes[i] &= (byte) (0xff << (8 - kept));
        }
        try {
            return new Cidr(textOf(InetAddress.getByAddress(bytes)), bits);
        } catch (UnknownHostException e) {
            throw new IllegalStateException("an address keeps its length", e);
        }
    }

    /// Whether an address is in the range.
    public boolean contains(InetAddress other) {
        var first = InetAddress.ofLiteral(address).getAddress();
        var bytes = other.getAddress();
        if (bytes.length != first.length) {
            return false;
        }
        for (int i = 0; i < bytes.length; i++) {
            int kept = Math.clamp(bits - 8L * i, 0, 8);
            int mask = 0xff << (8 - kept) & 0xff;
            if ((bytes[i] & mask) != (first[i] & mask)) {
                return false;
            }
        }
        return true;
    }

    @Override
    public String toString() {
        return address + "/" + bits;
    }
}
