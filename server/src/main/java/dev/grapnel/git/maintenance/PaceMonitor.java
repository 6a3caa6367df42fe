package dev.grapnel.git.maintenance;

import java.io.InterruptedIOException;
import org.eclipse.jgit.lib.EmptyProgressMonitor;

/// Holds the git library back as [Pace] says, and ends its work when the thread is to stop.
final class PaceMonitor extends EmptyProgressMonitor {
    private final Pace pace;
    private boolean isCancelled;

    PaceMonitor(Pace pace) {
        this.pace = pace;
    }

    @Override
    public void update(int completed) {
        try {
            pace.spend(0);
        } catch (InterruptedIOException _) {
            isCancelled = true; // the library asks below
        }
    }

    @Override
    public boolean isCancelled() {
        return isCancelled || Thread.currentThread().isInterrupted();
    }
}
