package dev.grapnel.purgatory.reconcile;

import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.purgatory.pool.Pool;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/// Whose repositories count in full when somebody's event is judged; of all others only what they show does
/// (P-320).
final class Relations {
    private Relations() {}

    /// Owners for whom this person may sign, and all who maintain those repositories.
    static SortedSet<PublicKey> of(PublicKey author, Pool pool) {
        var related = new TreeSet<PublicKey>();
        for (var entry : pool.announced()) {
            if (pool.isMember(author, entry.author())) {
                related.add(entry.author());
                related.addAll(pool.maintainers(entry.author()).members());
            }
        }
        return Collections.unmodifiableSortedSet(related);
    }
}
