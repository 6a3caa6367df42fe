package dev.grapnel.server.address;

import dev.grapnel.nostr.Parsed;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Addresses in digits. The JDK's reader is more generous (leading zeros, IPv4 of fewer parts), and where
/// programs disagree on what a text names, somebody could be taken for somebody else.
final class AddressLiteral {
    /// As long as an address can be: six groups and a dotted tail.
    private static final int LENGTH_MAX = 45;

    private static final int GROUPS = 8;
    private static final Pattern GROUP = Pattern.compile("[0-9a-fA-F]{1,4}");
    private static final Pattern OCTET = Pattern.compile("0|[1-9][0-9]{0,2}");
    private static final Parsed<byte[]> INVALID = Parsed.invalid("it is not an IP address");

    private AddressLiteral() {}

    /// Its 4 or 16 bytes.
    static Parsed<byte[]> parse(String text) {
        if (text.length() > LENGTH_MAX) {
            return INVALID;
        }
        return (text.indexOf(':') < 0 ? findIpv4(text) : findIpv6(text))
                .map(Parsed::valid)
                .orElse(INVALID);
    }

    private static Optional<byte[]> findIpv4(String text) {
        var parts = List.of(text.split("\\.", -1));
        if (parts.size() != 4 || !parts.stream().allMatch(AddressLiteral::isOctet)) {
            return Optional.empty();
        }
        var bytes = ByteBuffer.allocate(4);
        parts.forEach(part -> bytes.put((byte) Integer.parseInt(part)));
        return Optional.of(bytes.array());
    }

    private static boolean isOctet(String part) {
        return OCTET.matcher(part).matches() && Integer.parseInt(part) < 256;
    }

    /// A dotted tail stands for two groups, and a double colon for one or more of zeros.
    private static Optional<byte[]> findIpv6(String text) {
        if (text.indexOf('.') >= 0) {
            int tail = text.lastIndexOf(':') + 1;
            return findIpv4(text.substring(tail))
                    .flatMap(bytes -> findGroups(text.substring(0, tail) + groupsOf(ByteBuffer.wrap(bytes))));
        }
        return findGroups(text);
    }

    private static String groupsOf(ByteBuffer ipv4) {
        return Integer.toHexString(ipv4.getShort() & 0xffff) + ":" + Integer.toHexString(ipv4.getShort() & 0xffff);
    }

    private static Optional<byte[]> findGroups(String text) {
        int gap = text.indexOf("::");
        if (gap < 0) {
            var groups = split(text);
            return groups.size() == GROUPS ? findBytes(groups) : Optional.empty();
        }
        var head = split(text.substring(0, gap));
        var tail = split(text.substring(gap + 2));
        int zeros = GROUPS - head.size() - tail.size();
        return zeros < 1
                ? Optional.empty()
                : findBytes(
                        Stream.of(head, Stream.generate(() -> "0").limit(zeros).toList(), tail)
                                .flatMap(List::stream)
                                .toList());
    }

    private static List<String> split(String text) {
        return text.isEmpty() ? List.of() : List.of(text.split(":", -1));
    }

    private static Optional<byte[]> findBytes(List<String> groups) {
        if (!groups.stream().allMatch(group -> GROUP.matcher(group).matches())) {
            return Optional.empty();
        }
        var bytes = ByteBuffer.allocate(2 * GROUPS);
        groups.forEach(group -> bytes.putShort((short) Integer.parseInt(group, 16)));
        return Optional.of(bytes.array());
    }
}
