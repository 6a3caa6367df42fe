package dev.grapnel.sync.sim;

import dev.grapnel.nostr.event.Address;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.repository.Announcement;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.outbound.RemoteUrl;
import dev.grapnel.purgatory.RelayPlaces;
import dev.grapnel.store.Removal;
import dev.grapnel.sync.world.Archive.Appearance;
import dev.grapnel.sync.world.Mutation;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// What changes of the store mean to sync (R1.10), for a node with one name.
///
/// @param self its own relay, which it never dials
record Meaning(RemoteUrl self) {
    static final Set<Integer> ROOTS = Set.of(Kinds.PATCH, Kinds.PULL_REQUEST, Kinds.PULL_REQUEST_UPDATE, Kinds.ISSUE);

    /// Deletions, reactions, reports, zaps (R3.21).
    static final Set<Integer> UNANSWERED = Set.of(Kinds.DELETION, 7, 1984, 9734, 9735);

    Optional<Mutation> ofServed(Event event) {
        if (event.kind() == Kinds.ANNOUNCEMENT) {
            return Announcement.parse(event)
                    .find()
                    .map(found -> new Mutation.Announced(found.address(), event.id(), relays(found)));
        }
        if (event.kind() == Kinds.STATE) {
            return Optional.of(new Mutation.StatesChanged(event.author(), identifierOf(event)));
        }
        var repositories = RepositoryAddress.namedBy(event);
        if (ROOTS.contains(event.kind()) && !repositories.isEmpty()) {
            return Optional.of(new Mutation.RootServed(event.id(), event.createdAt(), repositories));
        }
        return UNANSWERED.contains(event.kind()) ? Optional.empty() : ofMember(event);
    }

    private static Optional<Mutation> ofMember(Event event) {
        var events = values(event, "e", "E", "q")
                .flatMap(value -> EventId.parse(value).find().stream())
                .distinct()
                .toList();
        var addresses = values(event, "a", "A", "q")
                .flatMap(value -> Address.parse(value).find().stream())
                .filter(address -> address.kind() != Kinds.ANNOUNCEMENT && address.kind() != Kinds.STATE)
                .map(Address::toString)
                .distinct()
                .toList();
        return events.isEmpty() && addresses.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        new Mutation.MemberServed(event.id(), event.createdAt(), addressOf(event), events, addresses));
    }

    static Optional<Mutation> ofRemoved(Removal removal) {
        boolean isReplaced = removal.reason() == Removal.Reason.REPLACED;
        return switch (removal.kind()) {
            case Kinds.ANNOUNCEMENT ->
                isReplaced
                        ? Optional.empty()
                        : Identifier.parse(removal.identifier())
                                .find()
                                .map(name -> new Mutation.Unannounced(new RepositoryAddress(removal.author(), name)));
            case Kinds.STATE -> Optional.of(new Mutation.StatesChanged(removal.author(), removal.identifier()));
            default ->
                UNANSWERED.contains(removal.kind()) ? Optional.empty() : Optional.of(new Mutation.Left(removal.id()));
        };
    }

    static Appearance appearance(Event event) {
        return new Appearance(
                event.id(),
                addressOf(event),
                values(event, "a", "A", "e", "E", "q").distinct().toList());
    }

    /// All that an announcement names but this node itself.
    List<RemoteUrl> relays(Announcement announcement) {
        return RelayPlaces.of(announcement).stream()
                .filter(url -> !url.equals(self))
                .toList();
    }

    static Optional<String> addressOf(Event event) {
        return event.findAddress().map(Address::toString);
    }

    static String identifierOf(Event event) {
        return event.tags().findValue("d").orElse("");
    }

    static Stream<String> values(Event event, String... names) {
        return Stream.of(names).flatMap(name -> event.tags().values(name).stream());
    }
}
