package dev.grapnel.purgatory.reconcile;

import dev.grapnel.git.repository.RepositoryLease;
import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.nostr.repository.RepositoryState;
import java.io.IOException;
import java.util.Collection;

/// Where a repository gets from what a state needs. Used by one thread, who closes it.
interface Supply extends Readiness.Examination, AutoCloseable {
    /// Gives a repository some objects of a state with all they reach. Durable when it returns.
    void bring(Collection<Oid> tips, RepositoryState state, RepositoryLease into) throws IOException;

    @Override
    void close();
}
