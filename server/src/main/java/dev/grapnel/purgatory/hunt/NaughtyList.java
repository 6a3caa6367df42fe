package dev.grapnel.purgatory.hunt;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/// Whom to leave alone for long (P-671, P-675). Sites are shared with relay links: a name that does not exist is a
/// fault of its host, a bad certificate one of a host's port, for those who speak TLS there. URLs concern git alone.
/// While this server itself is cut off, nothing is put here.
public interface NaughtyList {
    /// Why a site is left alone, the reason that lasts longest; empty if it may be asked.
    Optional<Blame> find(Site site);

    /// Until when a URL is left alone; its site is asked for separately.
    Optional<Instant> findUrl(String url);

    /// Puts a site on the list for a fault that was met there, and with it all that share the fault. Its time begins
    /// anew.
    Entry add(Site site, NaughtyCause cause);

    /// Puts a URL on the list, whose time begins anew.
    Entry addUrl(String url, NaughtyCause cause);

    /// Takes a site off the list, because the operator says so.
    void remove(Site site);

    /// Takes a URL off the list, because the operator says so.
    void removeUrl(String url);

    /// How many there are, for metrics.
    Map<NaughtyCause, Long> counts();

    /// Why somebody is left alone.
    ///
    /// @param origin where that was seen; empty if nobody wrote it down
    record Blame(NaughtyCause cause, String origin, Instant until) {
        /// What is wrong, for people.
        public String words() {
            return switch (cause) {
                case DNS -> "its name does not exist";
                case TLS -> "the certificate" + (origin.isEmpty() ? "" : " of " + origin) + " is not valid";
                case HOSTILE -> "it sent what is not taken";
            };
        }
    }

    /// What became of it.
    ///
    /// @param until empty if nothing is put on the list now
    /// @param isFirst whether it had never been there before, so that somebody should be told
    record Entry(Optional<Instant> until, boolean isFirst) {}
}
