package dev.grapnel.purgatory.reconcile;

import dev.grapnel.git.repository.Quarantine;
import dev.grapnel.git.repository.RepositoryLease;
import dev.grapnel.nostr.event.EventId;
import java.io.IOException;
import java.util.Set;

/// What a push has brought, and is not in any repository yet.
///
/// @param repository where it was pushed to
/// @param isSigned whether all of it may go into the repository: states declare every ref
/// @param hasBranches whether it realises a state, too: then it is taken as a whole or not at all (P-241)
/// @param completion gives the repository what the push rests on in others
/// @param proposals events to whose refs it was pushed and which are here
public record Incoming(
        RepositoryLease repository,
        Quarantine quarantine,
        boolean isSigned,
        boolean hasBranches,
        Completion completion,
        Set<EventId> proposals) {
    public Incoming {
        proposals = Set.copyOf(proposals);
    }

    /// Makes a repository complete in itself again.
    public interface Completion {
        void run() throws IOException;
    }
}
