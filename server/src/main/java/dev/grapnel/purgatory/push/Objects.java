package dev.grapnel.purgatory.push;

import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.repository.Oid;

/// Which objects are here for one repository: in its local pool (purgatory P-320).
///
/// Whoever cannot find out throws: "not here" is never assumed.
public interface Objects {
    /// Whether it is here with everything it reaches.
    boolean isHere(Oid object);

    /// The same for events of one author: what others hide does not count for everybody.
    default Objects seenBy(PublicKey author) {
        return this;
    }

    /// Whether it is here and something else than a commit, which no branch may name. What is not here is
    /// not known to be anything.
    boolean isOtherThanCommit(Oid object);
}
