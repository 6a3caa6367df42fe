package dev.grapnel.command;

import dev.grapnel.config.BindAddress;
import dev.grapnel.config.OwnerKey;
import dev.grapnel.config.ServiceDomain;
import dev.grapnel.config.ServiceSettings.Backend;
import dev.grapnel.nostr.url.Scheme;
import dev.grapnel.nostr.url.ServiceAddress;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// What a server says of itself once it listens.
///
/// @param bound where it listens, with the port that the system chose if it chose one
/// @param events directory of the event store
/// @param isFirst whether nothing was stored there before, so that this may be somebody's first time
record StartReport(
        String version,
        BindAddress bound,
        ServiceDomain domain,
        Backend backend,
        Path events,
        OwnerKey.Found owner,
        boolean isFirst) {
    /// Each a line.
    List<String> lines() {
        var lines = new ArrayList<String>();
        lines.add("Grapnel " + version + " listens on " + url(Scheme.HTTP, bound.address()) + " and "
                + url(Scheme.WS, bound.address()));
        if (!domain.isAssumed()) {
            lines.add("Others reach it at " + domain.pageUrl() + " and " + domain.relayUrl());
        }
        lines.add(whereEventsAre());
        lines.add("The operator is " + owner.npub() + " (" + whereKeyIs() + ")");
        domain.hint().ifPresent(lines::add);
        if (isFirst) {
            addFirstSteps(lines);
        }
        return List.copyOf(lines);
    }

    private String whereEventsAre() {
        return switch (backend) {
            case LMDB -> "Events are in " + events.toAbsolutePath().normalize();
            case MEMORY -> "Events are in memory only, and gone when it stops";
        };
    }

    private String whereKeyIs() {
        return owner.isNew()
                ? "a new key; it is in " + owner.origin() + ", of which you should keep a copy"
                : "the key is in " + owner.origin();
    }

    private void addFirstSteps(List<String> lines) {
        var page = url(Scheme.HTTP, reachable());
        lines.addAll(List.of(
                "",
                "To try next:",
                "  curl -H 'Accept: application/nostr+json' " + page + "  # what the relay says of itself",
                "  " + page + "  # its page, for a browser",
                "  Ctrl-C  # stops it"));
    }

    /// Who listens everywhere is not reached under that address.
    private InetAddress reachable() {
        var address = bound.address();
        if (!address.isAnyLocalAddress()) {
            return address;
        }
        return InetAddress.ofLiteral(address instanceof Inet4Address ? "127.0.0.1" : "::1");
    }

    private String url(Scheme scheme, InetAddress address) {
        var authority = new BindAddress(address, bound.port()).toString();
        var host = ServiceAddress.parse(authority, "/").require();
        var basePath = domain.address().basePath();
        var url = new ServiceAddress(host.host(), host.port(), basePath).relayUrl(scheme);
        return basePath.isEmpty() ? url + "/" : url;
    }
}
