package dev.grapnel.git.pack;

import java.io.InterruptedIOException;

/// Ends an intake that nobody waits for any more. Whatever computes asks for it at least once a mebibyte.
final class Halt {
    private Halt() {}

    /// @param work what would go on, for the log
    static void ifInterrupted(String work) throws InterruptedIOException {
        if (Thread.currentThread().isInterrupted()) {
            throw new InterruptedIOException("interrupted while " + work);
        }
    }
}
