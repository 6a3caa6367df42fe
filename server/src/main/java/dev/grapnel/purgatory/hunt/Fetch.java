package dev.grapnel.purgatory.hunt;

import dev.grapnel.nostr.repository.Identifier;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// A visit that goes on, for those who want to know or to end it.
final class Fetch {
    final Identifier identifier;
    final HuntUrl url;
    final long since;
    final Lease lease;
    /// Whether it only reads refs, so that nothing waits for it.
    final boolean isLook;
    /// Takes back the look for a second source.
    volatile Runnable hedgeOff = () -> {};

    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable Errand errand;
    private boolean isCancelled;

    Fetch(Identifier identifier, HuntUrl url, long since, Lease lease, boolean isLook) {
        this.identifier = identifier;
        this.url = url;
        this.since = since;
        this.lease = lease;
        this.isLook = isLook;
    }

    /// Says what is to be ended.
    ///
    /// @return whether it may go on; otherwise it was ended before it began
    boolean attach(Errand begun) {
        lock.lock();
        try {
            errand = begun;
            return !isCancelled;
        } finally {
            lock.unlock();
        }
    }

    void cancel() {
        Errand running;
        lock.lock();
        try {
            isCancelled = true;
            running = errand;
        } finally {
            lock.unlock();
        }
        if (running != null) {
            running.cancel();
        }
    }
}
