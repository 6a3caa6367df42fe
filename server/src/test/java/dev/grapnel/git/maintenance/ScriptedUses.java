package dev.grapnel.git.maintenance;

import dev.grapnel.nostr.repository.RepositoryAddress;
import java.io.IOException;

/// Says what it is told about who uses a repository.
final class ScriptedUses implements Uses {
    boolean isPushing;
    boolean isReading;

    /// What happens just before nobody is disturbed any more.
    Step meanwhile = () -> {};

    @Override
    public boolean isChanging(RepositoryAddress repository) {
        return isPushing;
    }

    @Override
    public boolean whileUnchanged(RepositoryAddress repository, Step step) throws IOException {
        var last = meanwhile;
        meanwhile = () -> {};
        last.run();
        if (isPushing) {
            return false;
        }
        step.run();
        return true;
    }

    @Override
    public void beforeSwap(RepositoryAddress repository) {}

    @Override
    public Reads swapped(RepositoryAddress repository) {
        return () -> !isReading;
    }
}
