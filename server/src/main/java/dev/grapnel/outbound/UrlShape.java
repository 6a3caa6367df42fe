package dev.grapnel.outbound;

import dev.grapnel.nostr.url.Scheme;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/// What a URL must look like to be used for one purpose.
///
/// @param schemes those that are allowed
/// @param charactersMax of the whole text
/// @param path whether there must be one
/// @param query whether there may be one
/// @param ports those that are allowed
public record UrlShape(Set<Scheme> schemes, int charactersMax, Path path, Query query, Ports ports) {
    /// Whether a path is needed.
    public enum Path {
        NEEDED,
        OPTIONAL
    }

    /// Whether a query is taken.
    public enum Query {
        REFUSED,
        KEPT
    }

    /// Which ports are taken.
    public enum Ports {
        /// Those that are nobody else's (P-802).
        OPEN,
        /// All: the operator named the URL (P-816).
        ANY
    }

    private static final int GIT_MAX = 2_048;
    private static final int RELAY_MAX = 512;

    public UrlShape {
        schemes = Set.copyOf(schemes);
    }

    /// Repositories of other git servers (P-800, P-801).
    ///
    /// @param schemes of `http` and `https`, those the operator allows
    public static UrlShape git(List<Scheme> schemes) {
        var web = EnumSet.of(Scheme.HTTP, Scheme.HTTPS);
        web.retainAll(schemes);
        return new UrlShape(web, GIT_MAX, Path.NEEDED, Query.REFUSED, Ports.OPEN);
    }

    /// Other relays (P-815).
    public static UrlShape relay() {
        return relay(Ports.OPEN);
    }

    /// Relays that the operator names (P-816).
    public static UrlShape configuredRelay() {
        return relay(Ports.ANY);
    }

    private static UrlShape relay(Ports ports) {
        return new UrlShape(EnumSet.of(Scheme.WS, Scheme.WSS), RELAY_MAX, Path.OPTIONAL, Query.KEPT, ports);
    }
}
