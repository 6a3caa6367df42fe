package dev.grapnel.git.maintenance;

import dev.grapnel.nostr.repository.RepositoryAddress;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/// Asks where repositories lie.
public interface Repositories {
    /// The one of an address, if there is one.
    Optional<RepositoryPlace> find(RepositoryAddress repository);

    /// All there are.
    List<RepositoryPlace> all() throws IOException;
}
