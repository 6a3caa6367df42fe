package dev.grapnel.purgatory.hunt;

import dev.grapnel.nostr.url.Host;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/// Whom to leave alone for long (P-671, P-675). Hosts are shared with relay links; URLs concern git alone. While this
/// server itself is cut off, nothing is put here.
public interface NaughtyList {
    /// Until when a host is left alone; empty if it may be asked.
    Optional<Instant> findHost(Host host);

    /// Why a host is left alone; empty if it may be asked.
    Optional<NaughtyCause> findCause(Host host);

    /// Until when a URL is left alone; its host is asked for separately.
    Optional<Instant> findUrl(String url);

    /// Puts a host on the list, whose time begins anew.
    Entry addHost(Host host, NaughtyCause cause);

    /// Puts a URL on the list, whose time begins anew.
    Entry addUrl(String url, NaughtyCause cause);

    /// Takes a host off the list, because the operator says so.
    void removeHost(Host host);

    /// Takes a URL off the list, because the operator says so.
    void removeUrl(String url);

    /// How many there are, for metrics.
    Map<NaughtyCause, Long> counts();

    /// What became of it.
    ///
    /// @param until empty if nothing is put on the list now
    /// @param isFirst whether it had never been there before, so that somebody should be told
    record Entry(Optional<Instant> until, boolean isFirst) {}
}
