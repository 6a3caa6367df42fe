package dev.grapnel.purgatory;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.repository.Announcement;
import dev.grapnel.nostr.repository.Proposal;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.purgatory.pool.Pool;
import dev.grapnel.store.StoreView;
import dev.grapnel.store.StoredEvent;
import dev.grapnel.store.row.HeldAnnouncement;
import dev.grapnel.store.row.RowKeys;
import dev.grapnel.store.table.Table;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.function.Function;
import java.util.stream.Stream;

/// Where git data of an event may be: what those have published whose word counts for it, as it stands in their
/// events (P-620). Unrelated owners of the same identifier are not among them (P-621).
public final class ClonePlaces {
    private ClonePlaces() {}

    /// For the states of an author: what every owner names for whom that author may sign, and everybody in the
    /// same set or on the way to its lead, owners first.
    public static List<String> ofStates(PublicKey author, Pool pool, StoreView view, int max) {
        var owners =
                pool.authorising(author).stream().map(owner -> owner.author()).toList();
        return List.copyOf(ofOwners(owners, pool, view, max, Announcement::cloneUrls));
    }

    /// For a proposal: the same for the owners of repositories that it concerns, and what it names itself, for which
    /// there is always room.
    public static List<String> ofProposal(
            Proposal proposal, Collection<PublicKey> owners, Pool pool, StoreView view, int max) {
        var own = proposal.cloneUrls().stream().distinct().toList();
        int kept = Math.min(own.size(), max / 2);
        var urls = ofOwners(owners, pool, view, max - kept, Announcement::cloneUrls);
        own.stream().takeWhile(_ -> urls.size() < max).forEach(urls::add);
        return List.copyOf(urls);
    }

    /// What owners name, and everybody whose word counts for them.
    ///
    /// @param named what of an announcement counts
    static <T> SequencedSet<T> ofOwners(
            Collection<PublicKey> owners, Pool pool, StoreView view, int max, Function<Announcement, List<T>> named) {
        var people = new LinkedHashSet<PublicKey>();
        var urls = new LinkedHashSet<T>();
        for (var owner : owners) {
            var maintainers = pool.maintainers(owner);
            Stream.of(Stream.of(owner), maintainers.members().stream(), maintainers.path().nodes().stream())
                    .flatMap(some -> some)
                    .takeWhile(_ -> urls.size() < max)
                    .filter(people::add)
                    .flatMap(
                            person -> findAnnouncement(new RepositoryAddress(person, pool.identifier()), view).stream())
                    .forEach(announcement -> named.apply(announcement).stream()
                            .takeWhile(_ -> urls.size() < max)
                            .forEach(urls::add));
        }
        return urls;
    }

    private static Optional<Announcement> findAnnouncement(RepositoryAddress address, StoreView view) {
        var held = view.findRow(Table.HELD_ANNOUNCEMENTS, RowKeys.repository(address))
                .map(row -> ((HeldAnnouncement) row).event());
        var served = view.findCurrent(address.announcement()).map(StoredEvent::read);
        return Stream.concat(held.stream(), served.stream())
                .max(Comparator.comparing(Event::version))
                .flatMap(event -> Announcement.parse(event).find());
    }
}
