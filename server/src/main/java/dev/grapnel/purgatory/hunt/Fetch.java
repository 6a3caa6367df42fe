package dev.grapnel.purgatory.hunt;

import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.repository.Identifier;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// A visit that goes on, for those who want to know or to end it.
final class Fetch {
    final Identifier identifier;
    final HuntUrl url;
    final long since;
    final Lease lease;
    /// For whose sake.
    final Set<PublicKey> authors;
    /// Whether it only reads refs, so that nothing waits for it.
    final boolean isLook;
    /// Takes back the look for a second source.
    volatile Runnable hedgeOff = () -> {};

    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable Errand errand;
    private boolean isCancelled;
    private boolean gaveWay;

    Fetch(Identifier identifier, HuntUrl url, long since, Lease lease, Set<PublicKey> authors, boolean isLook) {
        this.identifier = identifier;
        this.url = url;
        this.since = since;
        this.lease = lease;
        this.authors = Set.copyOf(authors);
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

    /// How far it has come.
    Patience.Pace<Fetch> pace(long now) {
        lock.lock();
        try {
            return new Patience.Pace<>(this, now - since, errand instanceof Visit visit ? visit.bytesReceived() : 0);
        } finally {
            lock.unlock();
        }
    }

    /// Ends it because it is slow and others wait: no failure of its server.
    void giveWay() {
        lock.lock();
        try {
            gaveWay = true;
        } finally {
            lock.unlock();
        }
        cancel();
    }

    boolean gaveWay() {
        lock.lock();
        try {
            return gaveWay;
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
