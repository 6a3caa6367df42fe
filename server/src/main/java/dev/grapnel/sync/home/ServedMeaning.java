package dev.grapnel.sync.home;

import dev.grapnel.nostr.event.Address;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.event.KindClass;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.event.References;
import dev.grapnel.nostr.event.Tag;
import dev.grapnel.nostr.repository.Announcement;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.outbound.OwnAddresses;
import dev.grapnel.outbound.RemoteUrl;
import dev.grapnel.purgatory.RelayPlaces;
import dev.grapnel.store.Removal;
import dev.grapnel.sync.world.Archive.Appearance;
import dev.grapnel.sync.world.Mutation;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// What it means for sync that an event is served, or no more (R1.10). Pure.
public final class ServedMeaning {
    /// Kinds that are roots if they name a repository.
    private static final Set<Integer> ROOTS =
            Set.of(Kinds.PATCH, Kinds.PULL_REQUEST, Kinds.PULL_REQUEST_UPDATE, Kinds.ISSUE);

    /// Comments and labels. Those that are said of a repository itself are roots, too: nothing else leads to what
    /// answers them.
    private static final Set<Integer> REMARKS = Set.of(Kinds.COMMENT, Kinds.LABEL);

    /// Deletions, reactions, reports and zaps: nobody answers them (R3.21).
    private static final Set<Integer> UNANSWERED = Set.of(Kinds.DELETION, 7, 1984, 9734, 9735);

    private final OwnAddresses own;

    public ServedMeaning(OwnAddresses own) {
        this.own = own;
    }

    /// What changes with an event that is served now; empty if nothing that is wanted does.
    public Optional<Mutation> ofServed(Event event) {
        return switch (event.kind()) {
            case Kinds.ANNOUNCEMENT -> Announcement.parse(event).find().map(this::announced);
            case Kinds.STATE -> statesChanged(event);
            default -> ROOTS.contains(event.kind()) ? root(event) : member(event);
        };
    }

    private Mutation announced(Announcement announcement) {
        return new Mutation.Announced(
                announcement.address(), announcement.event().id(), relays(announcement));
    }

    /// All that an announcement names, ourselves left out (R1.14, R1.15).
    public List<RemoteUrl> relays(Announcement announcement) {
        return RelayPlaces.of(announcement).stream()
                .filter(relay -> !own.covers(relay))
                .toList();
    }

    private static Optional<Mutation> statesChanged(Event state) {
        return state.tags().findValue("d").map(identifier -> new Mutation.StatesChanged(state.author(), identifier));
    }

    private static Optional<Mutation> root(Event event) {
        var repositories =
                RepositoryAddress.namedBy(event).stream().limit(References.MAX).toList();
        return repositories.isEmpty()
                ? member(event)
                : Optional.of(new Mutation.RootServed(event.id(), event.createdAt(), repositories));
    }

    private static Optional<Mutation> member(Event event) {
        if (UNANSWERED.contains(event.kind())) {
            return Optional.empty();
        }
        var references = References.of(event).toList();
        var events = values(references, "e", "E", "q")
                .flatMap(value -> EventId.parse(value).find().stream())
                .distinct()
                .toList();
        var addresses = values(references, "a", "A", "q")
                .flatMap(value -> Address.parse(value).find().stream())
                .filter(address -> !isRepositoryOrState(address.kind()))
                .map(Address::toString)
                .filter(ServedMeaning::isShort)
                .distinct()
                .toList();
        return events.isEmpty() && addresses.isEmpty()
                ? remark(event, references)
                : Optional.of(new Mutation.MemberServed(
                        event.id(), event.createdAt(), shortAddressOf(event), events, addresses));
    }

    private static Optional<Mutation> remark(Event event, List<Tag> references) {
        var repositories = values(references, "a") // as comments on one have it beside `A`, and the index looks for it
                .flatMap(value -> RepositoryAddress.parse(value).find().stream())
                .distinct()
                .toList();
        return REMARKS.contains(event.kind()) && !repositories.isEmpty()
                ? Optional.of(new Mutation.RootServed(event.id(), event.createdAt(), repositories))
                : Optional.empty();
    }

    private static Stream<String> values(List<Tag> references, String... names) {
        return Stream.of(names)
                .flatMap(name -> references.stream().filter(tag -> tag.name().equals(name)))
                .map(tag -> tag.element(1));
    }

    private static boolean isRepositoryOrState(int kind) {
        return kind == Kinds.ANNOUNCEMENT || kind == Kinds.STATE;
    }

    /// The index keeps the addresses of members, and an identifier may be as long as an event.
    private static Optional<String> shortAddressOf(Event event) {
        return addressOf(event).filter(ServedMeaning::isShort);
    }

    private static boolean isShort(String address) {
        return address.getBytes(StandardCharsets.UTF_8).length <= Mutation.MemberServed.ADDRESS_BYTES_MAX;
    }

    private static Optional<String> addressOf(Event event) {
        return switch (KindClass.of(event.kind())) {
            case REGULAR, EPHEMERAL -> Optional.empty();
            case REPLACEABLE -> Optional.of(new Address(event.kind(), event.author(), "").toString());
            case ADDRESSABLE ->
                Optional.of(new Address(
                                event.kind(),
                                event.author(),
                                event.tags().findValue("d").orElse(""))
                        .toString());
        };
    }

    private static Stream<String> values(Event event, String... names) {
        return Stream.of(names).flatMap(name -> event.tags().values(name).stream());
    }

    /// What wakes those that wait for it (R7.21).
    public static Appearance appearance(Event event) {
        return new Appearance(
                event.id(),
                addressOf(event),
                values(event, "a", "A", "e", "E", "q").distinct().toList());
    }

    /// What changes with an event that left service. What a newer version took the place of is told with that one.
    public static Optional<Mutation> ofRemoved(Removal removal) {
        boolean isReplaced = removal.reason() == Removal.Reason.REPLACED;
        return switch (removal.kind()) {
            case Kinds.ANNOUNCEMENT ->
                Identifier.parse(removal.identifier())
                        .find()
                        .filter(_ -> !isReplaced)
                        .map(identifier ->
                                new Mutation.Unannounced(new RepositoryAddress(removal.author(), identifier)));
            case Kinds.STATE ->
                isReplaced
                        ? Optional.empty()
                        : Optional.of(new Mutation.StatesChanged(removal.author(), removal.identifier()));
            default ->
                UNANSWERED.contains(removal.kind()) ? Optional.empty() : Optional.of(new Mutation.Left(removal.id()));
        };
    }
}
