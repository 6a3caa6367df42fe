package dev.grapnel.nostr.rule;

import dev.grapnel.nostr.Parsed;
import dev.grapnel.nostr.event.Address;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.event.KindClass;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.key.PublicKey;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.SequencedSet;

/// What a kind 5 event asks to delete (NIP-09, relay 4.5). References that can have no effect are left out
/// here: other authors' addresses, malformed values, other tags.
///
/// @param ids events named by `e`, each once, in order; whose they are is not known here
/// @param addresses own addresses named by `a`, each once, in order; of replaceable kinds without identifier
public record DeletionRequest(
        EventId id, PublicKey author, long createdAt, SequencedSet<EventId> ids, SequencedSet<Address> addresses) {
    /// Targets one request may name.
    public static final int TARGETS_MAX = 2048;

    public DeletionRequest {
        ids = Collections.unmodifiableSequencedSet(new LinkedHashSet<>(ids));
        addresses = Collections.unmodifiableSequencedSet(new LinkedHashSet<>(addresses));
    }

    /// Reads a kind 5 event of at most so many targets.
    public static Parsed<DeletionRequest> parse(Event event, int targetsMax) {
        if (event.kind() != Kinds.DELETION) {
            return Parsed.invalid("not a deletion request");
        }
        var ids = new LinkedHashSet<EventId>();
        var addresses = new LinkedHashSet<Address>();
        for (var tag : event.tags()) {
            if (tag.isNamed("e")) {
                tag.value().flatMap(text -> EventId.parse(text).find()).ifPresent(ids::add);
            } else if (tag.isNamed("a")) {
                tag.value().flatMap(text -> findAddress(text, event.author())).ifPresent(addresses::add);
            }
            if (ids.size() + addresses.size() > targetsMax) {
                return Parsed.invalid("too many targets");
            }
        }
        return Parsed.valid(new DeletionRequest(event.id(), event.author(), event.createdAt(), ids, addresses));
    }

    private static Optional<Address> findAddress(String text, PublicKey author) {
        return Address.parse(text)
                .find()
                .filter(address -> address.author().equals(author))
                .flatMap(DeletionRequest::findOwn);
    }

    private static Optional<Address> findOwn(Address address) {
        return switch (KindClass.of(address.kind())) {
            case REPLACEABLE -> Optional.of(new Address(address.kind(), address.author(), ""));
            case ADDRESSABLE -> Optional.of(address);
            case REGULAR, EPHEMERAL -> Optional.empty();
        };
    }

    /// Whether the request removes this event: named by id, whenever it is dated, or by its address and not
    /// newer than the request. Requests to delete or vanish cannot be deleted.
    public boolean covers(Event event) {
        if (event.kind() == Kinds.DELETION || event.kind() == Kinds.VANISH) {
            return false;
        }
        boolean byId = ids.contains(event.id()) && mayDelete(event);
        boolean byAddress = event.author().equals(author)
                && event.createdAt() <= createdAt
                && event.findAddress().filter(addresses::contains).isPresent();
        return byId || byAddress;
    }

    /// An event is its author's; a gift wrap, whose key is random, also its recipient's.
    private boolean mayDelete(Event event) {
        return event.author().equals(author)
                || (event.kind() == Kinds.GIFT_WRAP && event.tags().values("p").contains(author.toString()));
    }
}
