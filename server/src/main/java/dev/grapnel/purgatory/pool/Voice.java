package dev.grapnel.purgatory.pool;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.Version;
import dev.grapnel.nostr.repository.Announcement;
import dev.grapnel.nostr.repository.Roster;
import dev.grapnel.nostr.rule.Expiration;
import java.util.Optional;

/// What one announcement says, as far as others are judged by it.
///
/// @param expiry the second from which on it says nothing (NIP-40)
public record Voice(Version version, Roster roster, long expiry) {
    /// Reads an announcement; empty if it is none that could have been accepted.
    public static Optional<Voice> of(Event event) {
        return Announcement.parse(event).find().map(Voice::of);
    }

    /// What an announcement says.
    public static Voice of(Announcement announcement) {
        var expiration = Expiration.of(announcement.event()).find().orElse(Expiration.NEVER);
        return new Voice(announcement.version(), announcement.roster(), expiration.second());
    }

    /// Whether it counts at this second.
    boolean isHeardAt(long second) {
        return expiry > second;
    }

    /// Whether it names nobody else at all, which is how most announcements are.
    boolean isAlone() {
        var leads = roster.leads();
        return roster.listed().isEmpty()
                && roster.isActive()
                && (leads.isEmpty() || (leads.size() == 1 && leads.getFirst().equals(roster.author())));
    }
}
