package dev.grapnel.store.lmdb;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;

/// Work with files that an interrupt would spoil: a channel is closed under whoever was interrupted before.
final class Uninterrupted {
    private Uninterrupted() {}

    /// Something that opens its channels itself.
    interface Work<T> {
        T run() throws IOException;
    }

    /// Does it, as often as it takes, and keeps the interrupt for later.
    static <T> T run(Work<T> work) throws IOException {
        boolean interrupted = Thread.interrupted();
        try {
            while (true) {
                try {
                    return work.run();
                } catch (ClosedByInterruptException _) {
                    interrupted |= Thread.interrupted();
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
