package dev.grapnel.store;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.key.PublicKey;
import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;

/// Who reads (relay 4.8): events of restricted kinds are shown to their authors and to those they name in `p`
/// only.
///
/// @param restrictedKinds kinds that are not for everybody
/// @param keys the keys the reader has authenticated with
public record Viewer(Set<Integer> restrictedKinds, Set<PublicKey> keys) {
    /// Sees everything: the server itself.
    public static final Viewer ALL = new Viewer(Set.of(), Set.of());

    public Viewer {
        restrictedKinds = Set.copyOf(restrictedKinds);
        keys = Set.copyOf(keys);
    }

    /// Whether this event is shown.
    public boolean maySee(Event event) {
        return !restrictedKinds.contains(event.kind())
                || keys.contains(event.author())
                || event.tags().values("p").stream().anyMatch(value -> isKey(value, keys));
    }

    private static boolean isKey(String value, Collection<PublicKey> keys) {
        return PublicKey.parse(value).find().filter(keys::contains).isPresent();
    }

    /// The restricted kinds, ascending.
    public Set<Integer> sortedKinds() {
        return new TreeSet<>(restrictedKinds);
    }
}
