package dev.grapnel.purgatory.pool;

import dev.grapnel.nostr.key.PublicKey;
import java.util.List;
import java.util.Optional;

/// What a work has made of a pool.
public record PoolChange(Pool before, Pool after) {
    /// Those whose announcements are not what they were.
    public List<PublicKey> authors() {
        return before.differences(after);
    }

    /// Whether what waits of states is not what it was, or waits on other terms.
    public boolean hasOtherStates() {
        return !before.states().equals(after.states());
    }

    /// What an author's announcements were.
    public Announced was(PublicKey author) {
        return orNothing(before.findAnnounced(author), author);
    }

    /// What an author's announcements are.
    public Announced is(PublicKey author) {
        return orNothing(after.findAnnounced(author), author);
    }

    private static Announced orNothing(Optional<Announced> entry, PublicKey author) {
        return entry.orElseGet(() -> Announced.nothing(author, false));
    }
}
