package dev.grapnel.git.refs;

import dev.grapnel.nostr.repository.Oid;
import java.io.IOException;
import java.util.Optional;

/// Knows what annotated tags stand for.
public interface Peeler {
    /// What an annotated tag stands for in the end; empty if the object is no tag.
    Optional<Oid> peel(Oid id) throws IOException;
}
