package dev.grapnel.git.maintenance;

import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.nostr.repository.RepositoryAddress;
import java.util.Collection;
import java.util.List;

/// Asks which objects have to stay although no ref reaches them, because events name them (service 7.5).
public interface KeepRoots {
    /// No events are known.
    KeepRoots NONE = _ -> List.of();

    /// Ids that states, pull requests and trash records of a repository name. Some may not be here.
    Collection<Oid> of(RepositoryAddress repository);
}
