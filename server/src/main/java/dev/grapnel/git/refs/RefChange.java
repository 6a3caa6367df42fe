package dev.grapnel.git.refs;

import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.nostr.repository.RefName;

/// What is to become of one ref.
///
/// @param before what it must name now; zero: it must not exist
/// @param after what it shall name; zero: it shall not exist
public record RefChange(RefName name, Oid before, Oid after) {
    /// Whether the ref comes into being.
    public boolean isCreation() {
        return before.isZero() && !after.isZero();
    }

    /// Whether the ref goes away.
    public boolean isDeletion() {
        return after.isZero();
    }
}
