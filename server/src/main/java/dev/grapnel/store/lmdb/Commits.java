package dev.grapnel.store.lmdb;

import dev.grapnel.store.table.StoreFailure;
import java.util.ArrayDeque;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.lwjgl.util.lmdb.LMDB;

/// The newest commit and older ones that are still read. For each of them LMDB holds a read transaction,
/// through which nothing is ever read: it only tells LMDB which pages to leave alone.
///
/// Pinning and closing snapshots takes no lock and calls nothing native: who closes only counts down, and
/// the writer lets go of what nobody holds any more when it comes by. Until the writer does so no page can
/// be reused either.
final class Commits {
    private final int max;
    private final long ageMaxNanos;
    private final LmdbConfig config;

    private final ReentrantLock lock = new ReentrantLock();
    /// Oldest first; the last one is the newest. Guarded by the lock, as are the three below.
    private final ArrayDeque<Commit> kept = new ArrayDeque<>();

    /// Ended while somebody held them, who may not have noticed yet: until then they keep their map.
    private final ArrayDeque<Commit> lingering = new ArrayDeque<>();

    private final ArrayDeque<Long> idleReaders = new ArrayDeque<>();
    private @Nullable Environment environment;

    private volatile Commit newest;
    private volatile boolean closed;

    Commits(LmdbConfig config, Commit first) {
        this.config = config;
        this.max = config.snapshotsMax();
        this.ageMaxNanos = config.snapshotAgeMax().toNanos();
        this.newest = first;
        first.map().retain();
        kept.add(first);
    }

    Commit newest() {
        return newest;
    }

    /// The newest commit, which the caller must unpin.
    Commit pin() {
        while (true) {
            var commit = newest;
            if (closed) {
                throw new IllegalStateException("the store is closed");
            }
            if (commit.pin()) {
                return commit;
            }
        }
    }

    /// Lets LMDB know which commit is being read, after the file was opened.
    void attach(Environment opened) {
        lock.lock();
        try {
            environment = opened;
            newest.reader = reader(opened, newest);
        } finally {
            lock.unlock();
        }
    }

    /// Ends what LMDB keeps for us, because the file is about to be closed. Only the newest commit stays
    /// readable.
    void detach() {
        lock.lock();
        try {
            while (kept.getFirst() != newest) {
                end(kept.removeFirst());
            }
            release(newest);
            idleReaders.forEach(LMDB::nmdb_txn_abort);
            idleReaders.clear();
            environment = null;
        } finally {
            lock.unlock();
        }
    }

    /// Makes a commit the newest one. Must be called before LMDB begins the next transaction.
    void publish(Commit commit) {
        lock.lock();
        try {
            sweep();
            if (kept.size() >= max) {
                end(kept.removeFirst());
            }
            if (environment != null) {
                commit.reader = reader(environment, commit);
            }
            var before = newest;
            commit.map().retain();
            kept.addLast(commit);
            newest = commit;
            before.supersededAt = config.nanos().getAsLong();
            before.unpin();
        } finally {
            lock.unlock();
        }
    }

    /// Ends snapshots of commits that were superseded too long ago. Any thread.
    void endForgotten() {
        lock.lock();
        try {
            if (closed) {
                return;
            }
            sweep();
            long now = config.nanos().getAsLong();
            while (kept.getFirst() != newest && now - kept.getFirst().supersededAt >= ageMaxNanos) {
                end(kept.removeFirst());
            }
        } finally {
            lock.unlock();
        }
    }

    /// Ends everything.
    void close() {
        lock.lock();
        try {
            closed = true;
            detach();
            newest.pages().end();
        } finally {
            lock.unlock();
        }
    }

    /// Gives maps back after everything was ended, as far as nobody reads any more.
    void letGo() {
        lock.lock();
        try {
            newest.unpin(); // from here on it cannot be pinned again
            kept.forEach(this::letGo);
            kept.clear();
            sweepLingering();
        } finally {
            lock.unlock();
        }
    }

    private void sweep() {
        for (var all = kept.iterator(); all.hasNext(); ) {
            var commit = all.next();
            if (!commit.isPinned()) {
                all.remove();
                end(commit);
            }
        }
        sweepLingering();
    }

    private void sweepLingering() {
        lingering.removeIf(commit -> {
            boolean goes = !commit.isPinned();
            if (goes) {
                commit.map().release();
            }
            return goes;
        });
    }

    private void end(Commit commit) {
        commit.pages().end(); // first: from the next line on its pages may be overwritten
        release(commit);
        letGo(commit);
    }

    private void letGo(Commit commit) {
        if (commit.isPinned()) {
            lingering.add(commit);
        } else {
            commit.map().release();
        }
    }

    private void release(Commit commit) {
        if (commit.reader != 0) {
            LMDB.nmdb_txn_reset(commit.reader);
            idleReaders.addLast(commit.reader);
            commit.reader = 0;
        }
    }

    private long reader(Environment opened, Commit commit) {
        long reader = idleReaders.isEmpty() ? opened.beginReader() : renewed(idleReaders.removeLast());
        if (reader == 0) {
            throw new StoreFailure("LMDB has no reader slot left, though no other process should have this store open");
        }
        long found = LMDB.nmdb_txn_id(reader);
        if (found != commit.meta().transaction()) {
            LMDB.nmdb_txn_abort(reader);
            throw new StoreFailure("the store is at transaction " + found + " instead of "
                    + commit.meta().transaction() + ": another program has written to it");
        }
        return reader;
    }

    private static long renewed(long reader) {
        int code = LMDB.nmdb_txn_renew(reader);
        if (code != 0) {
            LMDB.nmdb_txn_abort(reader);
            throw LmdbError.failure("begin reading", code);
        }
        return reader;
    }
}
