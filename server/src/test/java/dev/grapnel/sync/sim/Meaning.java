package dev.grapnel.sync.sim;

import dev.grapnel.nostr.event.Address;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.repository.Announcement;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.outbound.RemoteUrl;
import dev.grapnel.purgatory.RelayPlaces;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// What events mean to whoever judges a node from outside: nothing here is asked by the core.
final class Meaning {
    private static final Set<Integer> ROOTS =
            Set.of(Kinds.PATCH, Kinds.PULL_REQUEST, Kinds.PULL_REQUEST_UPDATE, Kinds.ISSUE);

    /// Deletions, reactions, reports, zaps (R3.21).
    static final Set<Integer> UNANSWERED = Set.of(Kinds.DELETION, 7, 1984, 9734, 9735);

    private static final Set<Integer> REMARKS = Set.of(Kinds.COMMENT, Kinds.LABEL);

    private Meaning() {}

    /// The repositories of which it is a root: what they are about, or a remark on nothing but them.
    static List<RepositoryAddress> rootOf(Event event) {
        if (ROOTS.contains(event.kind())) {
            return RepositoryAddress.namedBy(event);
        }
        boolean isAboutOthers = values(event, "e", "E", "q", "a", "A")
                .anyMatch(value -> RepositoryAddress.parse(value).find().isEmpty());
        return REMARKS.contains(event.kind()) && !isAboutOthers ? RepositoryAddress.namedBy(event) : List.of();
    }

    /// All that an announcement names but the node itself.
    static List<RemoteUrl> relays(SimNode node, Announcement announcement) {
        return RelayPlaces.of(announcement).stream()
                .filter(url -> !url.equals(node.url()))
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
