package dev.grapnel.nostr.repository;

import dev.grapnel.nostr.key.PublicKey;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// A pool made of announcements in any order: of one identifier, of each author the newest.
public final class AnnouncementPool implements RosterPool {
    private final Identifier identifier;
    private final Map<PublicKey, Announcement> newest = new TreeMap<>();

    private AnnouncementPool(Identifier identifier) {
        this.identifier = identifier;
    }

    /// Takes those of this identifier; which of them count at all is the caller's to say.
    public static AnnouncementPool of(Identifier identifier, Collection<Announcement> announcements) {
        var pool = new AnnouncementPool(identifier);
        announcements.stream()
                .filter(announcement -> announcement.identifier().equals(identifier))
                .forEach(pool::add);
        return pool;
    }

    private void add(Announcement announcement) {
        newest.merge(
                announcement.owner(),
                announcement,
                (one, other) -> one.version().isNewerThan(other.version()) ? one : other);
    }

    /// What all of them are called.
    public Identifier identifier() {
        return identifier;
    }

    /// This author's newest announcement.
    public Optional<Announcement> findAnnouncement(PublicKey author) {
        return Optional.ofNullable(newest.get(author));
    }

    @Override
    public Optional<Roster> find(PublicKey author) {
        return findAnnouncement(author).map(Announcement::roster);
    }
}
