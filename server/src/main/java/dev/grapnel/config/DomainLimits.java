package dev.grapnel.config;

import dev.grapnel.nostr.Parsed;
import dev.grapnel.nostr.url.Host;
import java.util.regex.Pattern;

/// How much of one domain hunting may ask, where that differs from others (purgatory 9).
///
/// @param concurrent fetches at once
/// @param perMinute visits in a minute
public record DomainLimits(Host host, int concurrent, int perMinute) {
    static final ValueType<DomainLimits> TYPE = ValueTypes.parsed(
            "<host:n,n>", "limits such as example.com:5,30", DomainLimits::parse, DomainLimits::toString);

    private static final Pattern FORM = Pattern.compile("(.+):([1-9][0-9]{0,5}),([1-9][0-9]{0,5})");

    /// Reads `host:concurrent,perMinute`.
    public static Parsed<DomainLimits> parse(String text) {
        var match = FORM.matcher(text);
        return match.matches()
                ? Host.parse(match.group(1))
                        .map(host -> new DomainLimits(
                                host, Integer.parseInt(match.group(2)), Integer.parseInt(match.group(3))))
                : Parsed.invalid("it is not of the form host:concurrent,perMinute with numbers from 1");
    }

    @Override
    public String toString() {
        return host + ":" + concurrent + "," + perMinute;
    }
}
