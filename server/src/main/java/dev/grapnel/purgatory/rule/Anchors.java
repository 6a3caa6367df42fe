package dev.grapnel.purgatory.rule;

import dev.grapnel.nostr.event.Address;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.event.KindClass;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.event.References;
import dev.grapnel.nostr.event.Tag;
import dev.grapnel.store.Lookup;
import dev.grapnel.store.StoreView;
import dev.grapnel.store.StoredEvent;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Whether an event belongs to something that is served (service 4.7): it refers to an anchor, or an anchor
/// refers to it. What is held is no anchor.
final class Anchors {
    /// Most events that are looked at to find an anchor among those that refer to one id or address.
    /// Strangers decide how many do that are no anchors.
    private static final int REFERRING_MAX = 1_000;

    private static final Set<Integer> NEVER =
            Set.of(Kinds.PROFILE, Kinds.DELETION, Kinds.VANISH, Kinds.RELAY_LIST, Kinds.GRASP_LIST);
    private static final Set<String> OF_ADDRESSES = Set.of("a", "A", "q");
    private static final Set<String> OF_IDS = Set.of("e", "E", "q");

    private final StoreView view;

    Anchors(StoreView view) {
        this.view = view;
    }

    boolean relate(Event event) {
        return References.of(event).anyMatch(this::leadsToAnchor) || isReferredTo(event);
    }

    private boolean leadsToAnchor(Tag tag) {
        var value = tag.element(1);
        return (OF_IDS.contains(tag.name()) && isAnchorId(value))
                || (OF_ADDRESSES.contains(tag.name()) && isAnchorAddress(value));
    }

    private boolean isAnchorId(String value) {
        return EventId.parse(value)
                .find()
                .flatMap(view::find)
                .filter(Anchors::isAnchor)
                .isPresent();
    }

    private boolean isAnchorAddress(String value) {
        return findAddress(value)
                .flatMap(view::findCurrent)
                .filter(Anchors::isAnchor)
                .isPresent();
    }

    /// A replaceable kind has no identifier, and may be named without the second colon.
    private static Optional<Address> findAddress(String value) {
        var found = Address.parse(value).find();
        if (found.isPresent()) {
            return found.filter(
                    address -> !isReplaceable(address) || address.identifier().isEmpty());
        }
        return Address.parse(value + ":").find().filter(Anchors::isReplaceable);
    }

    private static boolean isReplaceable(Address address) {
        return KindClass.of(address.kind()) == KindClass.REPLACEABLE;
    }

    private static boolean isAnchor(StoredEvent event) {
        return !NEVER.contains(event.kind());
    }

    private boolean isReferredTo(Event event) {
        var id = event.id().toHex();
        return isNamed('e', id)
                || isNamed('E', id)
                || isNamed('q', id)
                || event.findAddress().filter(this::isReferredTo).isPresent();
    }

    private boolean isReferredTo(Address address) {
        var texts = isReplaceable(address)
                ? List.of(address.toString(), address.kind() + ":" + address.author())
                : List.of(address.toString());
        return texts.stream().anyMatch(text -> isNamed('a', text) || isNamed('A', text) || isNamed('q', text));
    }

    private boolean isNamed(char letter, String value) {
        var search = new Search();
        view.forEachServed(new Lookup.Tagged(letter, value), search::visit);
        return search.found;
    }

    private static final class Search {
        private int looks;
        private boolean found;

        boolean visit(StoredEvent event) {
            found = isAnchor(event);
            looks++;
            return !found && looks < REFERRING_MAX;
        }
    }
}
