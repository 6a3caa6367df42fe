package dev.grapnel.purgatory.reconcile;

import dev.grapnel.nostr.repository.RepositoryState;
import java.io.IOException;

/// Whether a state can be applied with the objects that are here (P-320).
public enum Readiness {
    /// All its objects are here and of the right type.
    READY,
    /// Some are missing.
    INCOMPLETE,
    /// It can never be applied: a value is no object id, or a branch names something that is no commit.
    HOPELESS;

    /// Knows it of each state.
    public interface Examination {
        Readiness of(RepositoryState state) throws IOException;
    }
}
