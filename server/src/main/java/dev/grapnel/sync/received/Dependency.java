package dev.grapnel.sync.received;

import dev.grapnel.nostr.event.Address;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.event.KindClass;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.event.References;
import dev.grapnel.nostr.event.Tag;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.repository.RepositoryAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Something that may come and change the verdict on a refused event (R7.20). `mentioned(own id)` is none of these: who
/// is mentioned is found by its id.
sealed interface Dependency {
    /// Somebody is listed in an announcement for an identifier, or has one.
    record Maintainer(PublicKey person, String identifier) implements Dependency {}

    /// Somebody may sign states of an identifier.
    record Authority(PublicKey person, String identifier) implements Dependency {}

    /// The announcement of a repository waits no more.
    record Unheld(RepositoryAddress repository) implements Dependency {}

    /// An event of this address is served.
    record AddressServed(String address) implements Dependency {}

    /// An event is served.
    record EventServed(EventId id) implements Dependency {}

    /// A served event refers to this address.
    record AddressMentioned(String address) implements Dependency {}

    /// Most references of an event that can relate it to something: the policy looks at no more.
    int REFERENCES_MAX = References.MAX;

    /// What an event waits for that was refused for want of something.
    static List<Dependency> of(Event event) {
        return switch (event.kind()) {
            case Kinds.ANNOUNCEMENT -> List.of(new Maintainer(event.author(), identifier(event)));
            case Kinds.STATE -> List.of(new Authority(event.author(), identifier(event)));
            default -> references(event);
        };
    }

    /// What an announcement waits for that only lost to a version that waits.
    static Optional<Unheld> ofOutdated(Event event) {
        return event.findAddress()
                .flatMap(address -> RepositoryAddress.parse(address.toString()).find())
                .map(Unheld::new);
    }

    /// The first `d` value.
    static String identifier(Event event) {
        return event.tags().findValue("d").orElse("");
    }

    private static List<Dependency> references(Event event) {
        var all = new ArrayList<Dependency>();
        References.of(event).forEach(tag -> find(tag.element(1)).ifPresent(all::add));
        event.findAddress().ifPresent(address -> all.add(new AddressMentioned(address.toString())));
        return all.stream().distinct().toList();
    }

    /// Whether a tag refers to an event or an address.
    static boolean isReference(Tag tag) {
        return tag.size() > 1
                && (tag.isNamed("e") || tag.isNamed("a") || tag.isNamed("E") || tag.isNamed("A") || tag.isNamed("q"));
    }

    private static Optional<Dependency> find(String value) {
        return EventId.parse(value)
                .find()
                .<Dependency>map(EventServed::new)
                .or(() -> findAddress(value).map(AddressServed::new));
    }

    /// The one way to write an address: keys of repositories may be in any case, and replaceable kinds may lack the
    /// second colon.
    static Optional<String> findAddress(String value) {
        return RepositoryAddress.parse(value)
                .find()
                .map(RepositoryAddress::toString)
                .or(() -> Address.parse(value).find().map(Address::toString))
                .or(() -> Address.parse(value + ":")
                        .find()
                        .filter(address -> KindClass.of(address.kind()) == KindClass.REPLACEABLE)
                        .map(Address::toString));
    }
}
