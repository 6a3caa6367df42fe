package dev.grapnel.config;

import dev.grapnel.nostr.Parsed;
import dev.grapnel.nostr.url.Host;
import java.util.regex.Pattern;

/// How much of one domain hunting may ask, where that differs from others (purgatory 9).
///
/// @param coversSubdomains whether it is for all names under the host, and not for the host itself (P-653)
/// @param concurrent fetches at once
/// @param perMinute visits in a minute
public record DomainLimits(Host host, boolean coversSubdomains, int concurrent, int perMinute) {
    static final ValueType<DomainLimits> TYPE = ValueTypes.parsed(
            "<host:n,n>",
            "limits such as example.com:5,30 or *.example.com:5,30",
            DomainLimits::parse,
            DomainLimits::toString);

    private static final Pattern FORM = Pattern.compile("(\\*\\.)?(.+):([1-9][0-9]{0,5}),([1-9][0-9]{0,5})");

    /// Reads `host:concurrent,perMinute`, where the host may begin with `*.`.
    public static Parsed<DomainLimits> parse(String text) {
        var match = FORM.matcher(text);
        return match.matches()
                ? Host.parse(match.group(2))
                        .map(host -> new DomainLimits(
                                host,
                                match.group(1) != null,
                                Integer.parseInt(match.group(3)),
                                Integer.parseInt(match.group(4))))
                : Parsed.invalid("it is not of the form host:concurrent,perMinute with numbers from 1");
    }

    /// Whether it is meant for a domain.
    public boolean covers(Host domain) {
        return coversSubdomains ? domain.text().endsWith("." + host.text()) : domain.equals(host);
    }

    /// Whether it says more about a domain that both cover.
    public boolean isMoreSpecificThan(DomainLimits other) {
        return coversSubdomains == other.coversSubdomains
                ? host.text().length() > other.host.text().length()
                : other.coversSubdomains;
    }

    @Override
    public String toString() {
        return (coversSubdomains ? "*." : "") + host + ":" + concurrent + "," + perMinute;
    }
}
