package dev.grapnel.sync.received;

import dev.grapnel.nostr.event.Address;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.Kinds;
import java.util.BitSet;

/// Which stripes an event needs, for itself or beside others.
final class Claims {
    private final KeyHash hashes;
    private final BitSet own = new BitSet(Stripes.COUNT);
    private final BitSet shared = new BitSet(Stripes.COUNT);

    private Claims(KeyHash hashes) {
        this.hashes = hashes;
    }

    static Claims of(Event event, KeyHash hashes) {
        var claims = new Claims(hashes);
        claims.claim(event);
        return claims;
    }

    BitSet own() {
        return own;
    }

    BitSet shared() {
        return shared;
    }

    private void claim(Event event) {
        own.set(stripe(event.id().toHex()));
        event.findAddress().map(Address::toString).ifPresent(address -> own.set(stripe(address)));
        if (event.kind() == Kinds.ANNOUNCEMENT || event.kind() == Kinds.STATE) {
            own.set(ofIdentifier(Dependency.identifier(event)));
        }
        boolean isRemoving = event.kind() == Kinds.DELETION || event.kind() == Kinds.VANISH;
        var stripes = isRemoving ? own : shared;
        event.tags().stream()
                .filter(Dependency::isReference)
                .map(tag -> tag.element(1))
                .forEach(value -> claim(value, stripes));
    }

    private void claim(String value, BitSet stripes) {
        var address = Dependency.findAddress(value);
        stripes.set(stripe(address.orElse(value)));
        address.flatMap(text -> Address.parse(text).find())
                .filter(found -> found.kind() == Kinds.ANNOUNCEMENT || found.kind() == Kinds.STATE)
                .ifPresent(found -> stripes.set(ofIdentifier(found.identifier())));
    }

    private int ofIdentifier(String identifier) {
        return stripe("d:" + identifier);
    }

    private int stripe(String name) {
        return (int) (hashes.of(name) & (Stripes.COUNT - 1));
    }
}
