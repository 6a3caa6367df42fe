package dev.grapnel.outbound;

import java.util.Locale;

/// The rules that keep a connection from being made (purgatory 8). Their words are labels of metrics and fields
/// of log lines.
public enum Rule {
    /// P-800: another scheme than those that are allowed.
    SCHEME,
    /// P-801: no host, no path, user info, query, fragment, too long, control characters.
    SHAPE,
    /// P-802: a port of other services.
    PORT,
    /// P-803: a name that means this machine or this network.
    NAME,
    /// P-803: an address that is not public unicast.
    ADDRESS,
    /// P-815: an onion service, and no proxy that leads there.
    ONION,
    /// P-622: ourselves.
    OWN,
    /// P-805: a redirect that is not followed.
    REDIRECT;

    private final String word = name().toLowerCase(Locale.ROOT);

    /// As it stands in metrics and log lines.
    public String word() {
        return word;
    }
}
