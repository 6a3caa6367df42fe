package dev.grapnel.git.push;

import dev.grapnel.git.repository.RepositoryLease;
import dev.grapnel.nostr.repository.Oid;
import java.io.IOException;
import java.util.Collection;

/// Who must know of refs that move: what they named before stays for a while, and packs pile up.
public interface RefMoves {
    /// Nobody.
    RefMoves UNNOTICED = new RefMoves() {
        @Override
        public void before(RepositoryLease repository, Collection<Oid> former) {}

        @Override
        public void after(RepositoryLease repository) {}
    };

    /// Refs are about to leave these objects; durable when it returns.
    void before(RepositoryLease repository, Collection<Oid> former) throws IOException;

    /// Objects have come, and refs have moved.
    void after(RepositoryLease repository);
}
