package dev.grapnel.nostr.url;

import dev.grapnel.nostr.Parsed;
import java.net.IDN;
import java.text.Normalizer;
import java.util.List;
import java.util.Locale;

/// A host in the one spelling that is compared: a lower-case ASCII name (punycode), a dotted IPv4 address, or
/// an IPv6 address in brackets.
///
/// One dot behind a name is dropped: with or without it the same machine is meant (purgatory P-624). Other
/// spellings of an IPv4 address (`127.1`, `0x7f.0.0.1`, leading zeros) are no hosts, because programs
/// disagree on what they name.
public record Host(String text) {
    private static final int NAME_MAX = 253;
    private static final int LABEL_MAX = 63;

    /// @throws IllegalArgumentException if this is not the spelling that is compared
    public Host {
        if (!normalise(text).equals(Parsed.valid(text))) {
            throw new IllegalArgumentException("not a host in normal form: " + text);
        }
    }

    /// Reads any spelling.
    public static Parsed<Host> parse(String text) {
        return normalise(text).map(Host::new);
    }

    /// Whether this is an address in brackets.
    public boolean isIpv6() {
        return text.startsWith("[");
    }

    @Override
    public String toString() {
        return text;
    }

    private static Parsed<String> normalise(String text) {
        return text.startsWith("[") ? Ipv6.normalise(text) : ascii(text).then(Host::normaliseName);
    }

    private static Parsed<String> ascii(String text) {
        if (text.chars().allMatch(c -> c < 128)) {
            return Parsed.valid(text);
        }
        if (text.length() > NAME_MAX) {
            return Parsed.invalid("not a host name");
        }
        try {
            var ascii = IDN.toASCII(text);
            // The JDK speaks an older IDNA that folds letters newer readers keep apart (sharp s, joiners): what does
            // not come back as it went would name one host here and another there. Letters written in pieces are
            // put together by all of them.
            var whole = Normalizer.normalize(text.toLowerCase(Locale.ROOT), Normalizer.Form.NFC);
            return IDN.toUnicode(ascii).equals(whole)
                    ? Parsed.valid(ascii)
                    : Parsed.invalid("a host whose ASCII form programs disagree on");
        } catch (RuntimeException _) {
            // Documented is IllegalArgumentException; a name that grows long while it is mapped throws others.
            return Parsed.invalid("a host that has no ASCII form");
        }
    }

    private static Parsed<String> normaliseName(String ascii) {
        var lower = ascii.toLowerCase(Locale.ROOT);
        var name = lower.endsWith(".") ? lower.substring(0, lower.length() - 1) : lower;
        var labels = List.of(name.split("\\.", -1));
        boolean good = name.length() <= NAME_MAX
                && labels.stream().allMatch(Host::isLabel)
                && (!isNumber(labels.getLast()) || isIpv4(labels));
        return good ? Parsed.valid(name) : Parsed.invalid("not a host name");
    }

    private static boolean isLabel(String label) {
        return !label.isEmpty()
                && label.length() <= LABEL_MAX
                && label.chars()
                        .allMatch(c -> (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_');
    }

    private static boolean isNumber(String label) {
        return label.startsWith("0x") || label.chars().allMatch(c -> c >= '0' && c <= '9');
    }

    private static boolean isIpv4(List<String> parts) {
        return parts.size() == 4 && parts.stream().allMatch(Host::isIpv4Part);
    }

    private static boolean isIpv4Part(String part) {
        return part.length() <= 3
                && part.chars().allMatch(c -> c >= '0' && c <= '9')
                && Integer.toString(Integer.parseInt(part)).equals(part)
                && Integer.parseInt(part) < 256;
    }
}
