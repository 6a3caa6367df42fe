package dev.grapnel.git.push;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.Parsed;
import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.nostr.repository.RefName;

/// What a push wants to do with one ref.
///
/// @param ref the name as text, which need not be one
/// @param sent the name as it was sent, which need not be text; the client is answered with it
/// @param before what the client thinks it names; zero for nothing
/// @param after what it shall name; zero for nothing
public record PushCommand(String ref, Bytes sent, Oid before, Oid after) {
    /// Whether the ref is to go.
    public boolean isDeletion() {
        return after.isZero();
    }

    /// The name, if it is one.
    public Parsed<RefName> name() {
        return RefName.parse(ref);
    }
}
