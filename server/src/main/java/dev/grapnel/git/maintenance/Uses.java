package dev.grapnel.git.maintenance;

import dev.grapnel.nostr.repository.RepositoryAddress;
import java.io.IOException;

/// Asks who uses a repository just now, so that nothing is taken away from under anybody.
public interface Uses {
    /// Nobody: this process has the data directory for itself.
    Uses NOBODY = new Uses() {
        @Override
        public boolean isChanging(RepositoryAddress repository) {
            return false;
        }

        @Override
        public boolean whileUnchanged(RepositoryAddress repository, Step step) throws IOException {
            step.run();
            return true;
        }

        @Override
        public void beforeSwap(RepositoryAddress repository) {}

        @Override
        public Reads swapped(RepositoryAddress repository) {
            return () -> true;
        }
    };

    /// Whether a push is in progress, or anything else that brings objects in or moves refs.
    boolean isChanging(RepositoryAddress repository);

    /// Takes a short step while nothing brings in objects or moves refs.
    ///
    /// @return false if something does; then the step was not taken
    boolean whileUnchanged(RepositoryAddress repository, Step step) throws IOException;

    /// Tells that packs are about to be hidden. Whoever reads a pack must have its index by then: there will
    /// be none to open.
    void beforeSwap(RepositoryAddress repository) throws IOException;

    /// Tells that packs were hidden. Reads that begin from now on must look at the directory anew.
    ///
    /// @return the reads that began before
    Reads swapped(RepositoryAddress repository);

    /// Something that must not be disturbed.
    @FunctionalInterface
    interface Step {
        void run() throws IOException;
    }

    /// Some reads, pushes in progress included: those read, too.
    @FunctionalInterface
    interface Reads {
        /// Whether all of them are over.
        boolean haveEnded();
    }
}
