package dev.grapnel.sync.health;

import dev.grapnel.nostr.key.PublicKey;
import java.util.Map;
import java.util.TreeMap;

/// How many relays that only purgatory knows each owner has named. Whoever named fewer goes first: hundreds of names of
/// one owner do not stand before the only one of another.
final class OwnerTurns {
    private final Map<PublicKey, Integer> counts = new TreeMap<>();

    /// The turn that the owner's next name would have.
    int next(PublicKey owner) {
        return counts.getOrDefault(owner, 0) + 1;
    }

    /// Gives an owner's name its turn.
    int take(PublicKey owner) {
        return counts.merge(owner, 1, Integer::sum);
    }

    /// One of the owner's names is no more.
    void giveBack(PublicKey owner) {
        counts.computeIfPresent(owner, (_, count) -> count == 1 ? null : count - 1);
    }
}
