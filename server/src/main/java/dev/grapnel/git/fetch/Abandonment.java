package dev.grapnel.git.fetch;

import java.util.function.BooleanSupplier;
import org.eclipse.jgit.lib.EmptyProgressMonitor;

/// Tells the git library to stop when nobody waits for the result any more.
final class Abandonment extends EmptyProgressMonitor {
    private final BooleanSupplier abandoned;

    Abandonment(BooleanSupplier abandoned) {
        this.abandoned = abandoned;
    }

    @Override
    public boolean isCancelled() {
        return abandoned.getAsBoolean();
    }
}
