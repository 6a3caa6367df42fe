package dev.grapnel.purgatory;

import dev.grapnel.nostr.repository.RepositoryAddress;
import java.util.TreeSet;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Repositories on disk that may not be what the store says, each named once, and the thread that looks
/// after them. Forgetting them does no harm: after a start all are looked at.
final class Tending implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Tending.class);

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final TreeSet<RepositoryAddress> waiting = new TreeSet<>();
    private boolean isBusy;
    private boolean isClosed;

    void add(RepositoryAddress address) {
        lock.lock();
        try {
            waiting.add(address);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// @param first done before anything else
    void start(Runnable first, Consumer<RepositoryAddress> tend) {
        lock.lock();
        try {
            isBusy = true;
        } finally {
            lock.unlock();
        }
        Thread.ofVirtual().name("repository-keeper").start(() -> run(first, tend));
    }

    private void run(Runnable first, Consumer<RepositoryAddress> tend) {
        try {
            first.run();
        } catch (RuntimeException e) {
            LOG.error("repositories not looked through", e);
        }
        try {
            for (var address = take(); address != null; address = take()) {
                try {
                    tend.accept(address);
                } catch (RuntimeException e) {
                    LOG.error("repository not tended address={}", address, e);
                }
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt(); // nobody does that: then this thread ends
        }
    }

    private @Nullable RepositoryAddress take() throws InterruptedException {
        lock.lock();
        try {
            isBusy = false;
            changed.signalAll();
            while (waiting.isEmpty() && !isClosed) {
                changed.await();
            }
            isBusy = !isClosed;
            return isClosed ? null : waiting.pollFirst();
        } finally {
            lock.unlock();
        }
    }

    /// Waits until nothing waits.
    void awaitDone() throws InterruptedException {
        lock.lock();
        try {
            while (!isClosed && (isBusy || !waiting.isEmpty())) {
                changed.await();
            }
        } finally {
            lock.unlock();
        }
    }

    boolean isClosed() {
        lock.lock();
        try {
            return isClosed;
        } finally {
            lock.unlock();
        }
    }

    /// Ends the thread once it has finished what it does.
    @Override
    public void close() {
        lock.lock();
        try {
            isClosed = true;
            changed.signalAll();
            while (isBusy) {
                changed.awaitUninterruptibly();
            }
        } finally {
            lock.unlock();
        }
    }
}
