package dev.grapnel.config;

import dev.grapnel.nostr.Parsed;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.regex.Pattern;

/// A range of addresses: an address, and how many of its first bits count. An IPv4 address inside IPv6 is that
/// IPv4 address.
///
/// @param address its first address, in text as the JDK writes it
/// @param bits of it that count
public record Cidr(String address, int bits) {
    private static final Pattern IPV4 = Pattern.compile("[0-9]{1,3}(\\.[0-9]{1,3}){3}");
    private static final Pattern IPV6 = Pattern.compile("[0-9a-fA-F:.]*:[0-9a-fA-F:.]*");

    /// Reads `10.0.0.0/8`, `::1/128`, or an address alone.
    public static Parsed<Cidr> parse(String text) {
        int slash = text.indexOf('/');
        var host = slash < 0 ? text : text.substring(0, slash);
        return parseAddress(host).then(address -> {
            int most = 8 * address.getAddress().length;
            if (slash < 0) {
                return Parsed.valid(new Cidr(address.getHostAddress(), most));
            }
            var bits = text.substring(slash + 1);
            return bits.matches("[0-9]{1,3}") && Integer.parseInt(bits) <= most
                    ? Parsed.valid(of(address, Integer.parseInt(bits)))
                    : Parsed.invalid("the number behind the slash is not 0 to " + most);
        });
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
            return new Cidr(InetAddress.getByAddress(bytes).getHostAddress(), bits);
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
