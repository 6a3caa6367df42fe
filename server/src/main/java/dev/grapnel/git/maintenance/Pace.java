package dev.grapnel.git.maintenance;

import java.io.InterruptedIOException;

/// How fast background work may go. Workers tell what they spend, and are held back here.
public interface Pace {
    /// As fast as possible; only an interrupt ends it.
    Pace FREE = _ -> {
        if (Thread.currentThread().isInterrupted()) {
            throw new InterruptedIOException("maintenance was interrupted");
        }
    };

    /// Tells that so many bytes were read or written, or none, if it was only the processor that worked.
    /// May wait.
    ///
    /// @throws InterruptedIOException if the thread is to stop
    void spend(long bytes) throws InterruptedIOException;
}
