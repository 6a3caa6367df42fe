package dev.grapnel.server.git;

import dev.grapnel.git.repository.Repositories;
import dev.grapnel.git.repository.RepositoryLease;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.server.git.RepositoryUses.Use;
import java.io.IOException;
import java.util.Optional;

/// Opens repositories for those who read them. Maintenance is told before anything is opened, so that it
/// takes no file away that somebody has just found.
record Readings(Repositories repositories, RepositoryUses uses) {
    /// A repository, if it is on disk.
    Optional<Reading> find(RepositoryAddress address) throws IOException {
        return read(address, repositories::find);
    }

    /// A repository that events say is there: if its directory vanished and nobody could bring it back, an empty one
    /// is made, for somebody to push to.
    Reading open(RepositoryAddress address) throws IOException {
        return read(address, wanted -> {
                    var found = repositories.find(wanted);
                    return found.isPresent() ? found : Optional.of(repositories.create(wanted));
                })
                .orElseThrow();
    }

    private interface Opening {
        Optional<RepositoryLease> open(RepositoryAddress address) throws IOException;
    }

    private Optional<Reading> read(RepositoryAddress address, Opening opening) throws IOException {
        var use = uses.read(address);
        Optional<RepositoryLease> lease = Optional.empty();
        try {
            lease = opening.open(address);
        } finally {
            if (lease.isEmpty()) {
                use.close();
            }
        }
        return lease.map(repository -> new Reading(repository, use));
    }

    /// A repository that somebody reads, until it is closed.
    record Reading(RepositoryLease repository, Use use) implements AutoCloseable {
        @Override
        public void close() {
            repository.close();
            use.close();
        }
    }
}
